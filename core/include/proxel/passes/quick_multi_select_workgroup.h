// quick_multi_select_workgroup: as quick_multi_select_subgroup.h, one workgroup
// per row. Each subgroup votes on its own keys; one invocation adds up the
// counts of the subgroups, which places every key within the workgroup.
// Constants: [0] workgroup size.
// Grid: x = workgroups that stride over the rows.
#ifndef PROXEL_PASSES_QUICK_MULTI_SELECT_WORKGROUP_H
#define PROXEL_PASSES_QUICK_MULTI_SELECT_WORKGROUP_H
#include "quick_multi_select_subgroup.h"
#endif
