"""Hosted Payment Fields: card fields of the gateway inside the merchant's page.

1. The merchant's server asks for a session token: POST /api/v1/session/token.
2. The merchant's page loads /sdk/hosted-fields.js, whose ``HostedFields.init`` puts three frames into it:
   /sdk/hosted-fields/frames/card, .../expiry and .../cvv, each with ``?token=<session token>``. Each holds one form
   with one input. ``submit()`` lets every frame hand its value over to the gateway, past the merchant's page.
3. The frames post to /sdk/hosted-fields/card, as a form: ``token`` and any of ``card_number``, ``expiry`` (MM/YY) and
   ``cvv``. A payer without a browser does the same, with all three at once or one after the other. The answer is
   ``{"result": "success"}``, or HTTP 400 with ``errors`` for what no card can have.
4. The merchant pays: POST /api/v1/processing/purchase/card, or .../debit/card, with the header ``Token``.
5. Where the answer says redirect, the payer goes to ``redirect_url`` and comes back to ``return_url``.
"""
