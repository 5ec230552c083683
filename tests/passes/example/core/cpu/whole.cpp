void whole(const Pass& pass, Machine& machine) {}
