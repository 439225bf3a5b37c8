"""Proof: conformance cases in, agreement or differences out."""
