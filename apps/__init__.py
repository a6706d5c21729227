"""What people run: the command line, scenarios, the rule book, players, the lab, the web table, the pytest plugin."""
