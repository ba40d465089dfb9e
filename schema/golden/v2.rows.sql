INSERT INTO unclaimed_decision VALUES ('ahp://copilot/3', 'alpha#1', 0, 9);
INSERT INTO unclaimed_decision VALUES ('ahp://copilot/3', 'it''s', 1, 10);
INSERT INTO history VALUES (9, 1796079400000, 'enablectl', 'import', 'unclaimed', 'session', 'ahp://copilot/3', 'ahp://copilot/3', '', '', '', 'alpha#1', NULL, 0, 4883042888594026860, -7593366230726824583);
INSERT INTO history VALUES (10, 1796079400000, 'enablectl', 'import', 'unclaimed', 'session', 'ahp://copilot/3', 'ahp://copilot/3', '', '', '', 'it''s', NULL, 1, 4883042888594026860, -6104835413056602690);
INSERT INTO import_source VALUES ('sessionDb', '/sessions/3/session.db', 'ahp://copilot/3', '99aa06d3014798d86001c324468d497f', 1796079400000, 'enablectl', 2);
