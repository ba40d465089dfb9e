SELECT 'unclaimed session decision', count(*) FROM unclaimed_decision
