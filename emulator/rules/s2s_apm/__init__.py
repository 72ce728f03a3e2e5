"""Rows of the S2S APM actions. Form values are texts throughout; bracket keys are paths."""
