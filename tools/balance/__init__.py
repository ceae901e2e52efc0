"""Measures the balance of all scenarios: who wins when the bot `greedy` has every seat."""
