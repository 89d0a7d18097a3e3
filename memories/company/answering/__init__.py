"""A prompt to a report: triage, search, findings, summary, Markdown."""
