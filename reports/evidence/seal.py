"""A detached signature of a result stream, made and verified by ``ssh-keygen -Y`` (OpenSSH 8.1 or later).

The key never passes through here: ssh-keygen reads it, or asks the agent that holds it.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

NAMESPACE = "gateway-conformance"
"""What the signature is for, so that it is good for nothing else."""
_TOOL = "ssh-keygen"
_SECONDS = 120


class SealError(Exception):
    """A signature cannot be made or checked; the message says why."""


def seal_of(stream: Path) -> Path:
    """Return where the signature of a stream lies."""
    return stream.with_name(f"{stream.name}.sig")


def seal(stream: Path, key: Path) -> Path:
    """Sign a stream; a signature that is there is replaced.

    Args:
        stream: the stream.
        key: a private key of SSH, or the public one of a key that an agent holds.

    Raises:
        SealError: there is no ssh-keygen, or it does not sign.
    """
    seal_of(stream).unlink(missing_ok=True)
    done = _run(["-Y", "sign", "-n", NAMESPACE, "-f", str(key), str(stream)])
    if done.returncode:
        raise SealError(f"{stream}: cannot be signed: {_last_line(done)}")
    return seal_of(stream)


def verify_seal(stream: Path, signers: Path, signer: str) -> str:
    """Return what ssh-keygen says of the signature of a stream.

    Args:
        stream: the stream; the signature lies beside it.
        signers: a file of allowed signers, as ssh-keygen(1) describes it.
        signer: who must have signed, as that file names them.

    Raises:
        SealError: the signature is missing, wrong, or of somebody else.
    """
    signature = seal_of(stream)
    if not signature.is_file():
        raise SealError(f"{signature}: there is no signature")
    words = ["-Y", "verify", "-n", NAMESPACE, "-f", str(signers), "-I", signer, "-s", str(signature)]
    done = _run(words, stdin=stream)
    if done.returncode:
        raise SealError(f"{signature}: is no signature of {signer}: {_last_line(done)}")
    return _last_line(done)


def _run(words: list[str], stdin: Path | None = None) -> subprocess.CompletedProcess[str]:
    tool = shutil.which(_TOOL)
    if tool is None:
        raise SealError(f"there is no {_TOOL} on this machine; OpenSSH has it")
    try:
        content = stdin.read_text(encoding="utf-8") if stdin else None
        return subprocess.run(  # noqa: S603 - the words are ours
            [tool, *words], input=content, capture_output=True, text=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise SealError(f"{_TOOL} does not end; does it ask for a passphrase?") from error


def _last_line(done: subprocess.CompletedProcess[str]) -> str:
    lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    return lines[-1][:300] if lines else f"{_TOOL} ends with status {done.returncode}"
