// quick_multi_select_workgroup: as quick_multi_select_subgroup.h, one workgroup
// per row. Each subgroup votes on its own keys; one invocation adds up the
// counts of the subgroups, which places every key within the workgroup.
// Grid: x = workgroups that stride over the rows.
#ifndef PROXEL_PASSES_QUICK_MULTI_SELECT_WORKGROUP_H
#define PROXEL_PASSES_QUICK_MULTI_SELECT_WORKGROUP_H
#include "quick_multi_select_subgroup.h"
PROXEL_PASS_BEGIN
#ifdef __cplusplus
extern const PassKindOf<QuickMultiSelectParameters> quick_multi_select_workgroup;
/// @param workgroups      the auxiliary memory holds 2 * columns keys for each
/// @param workgroup_size  128, 256 or 512, the most that the paper has
Pass make_quick_multi_select_workgroup(const QuickMultiSelectParameters& parameters, std::uint32_t workgroups,
                                       std::uint32_t workgroup_size);
#endif
PROXEL_PASS_END
#endif
