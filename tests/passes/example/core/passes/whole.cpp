PROXEL_PASS(whole)(const Pass& pass) {}
PROXEL_PASS(bare)(const Pass& pass) {}
