// The body of sqfd_block and sqfd_block_double; see proxel/passes/sqfd_block.h. The shader that
// includes it says what REAL is, and defines scale_of() and negative_power() for it.
#include "address.glsl"
#include "decode.glsl"
#include "workgroup.glsl"

shared float values[sqfd_shared_values];
shared REAL sums[WORKGROUP_SIZE];

// Where the two signatures of this workgroup lie.
struct Pair {
  uvec2 query, query_weights, object, object_weights;
  uint query_length, centroids;
};

// Row-major centroids, and their weights behind each, to shared memory.
void load_signature(uvec2 centroids, uvec2 weights, uint count, uint first, bool negative) {
  const uint stride = sqfd_centroid_stride(p.dimensions);
  for (uint i = gl_LocalInvocationID.x; i < count * p.dimensions; i += WORKGROUP_SIZE)
    values[(first + i / p.dimensions) * stride + i % p.dimensions] = FloatsIn(centroids).values[i];
  for (uint i = gl_LocalInvocationID.x; i < count; i += WORKGROUP_SIZE) {
    const float weight = FloatsIn(weights).values[i];
    values[(first + i) * stride + p.dimensions] = negative ? -weight : weight;
  }
}

REAL step_squared(REAL sum, float a, float b) {
  precise REAL difference = REAL(a) - REAL(b);
  precise REAL squared = difference * difference;
  precise REAL result = sum + squared;
  return result;
}

REAL item_of(REAL squared, float row_weight, float column_weight) {
  precise REAL weights = REAL(row_weight) * REAL(column_weight);
  precise REAL y = scale_of() * squared;
  precise REAL item = weights * negative_power(y);
  return item;
}

REAL shared_item(uint row, uint column) {
  const uint stride = sqfd_centroid_stride(p.dimensions);
  const uint a = row * stride, b = column * stride;
  REAL squared = REAL(0);
  for (uint i = 0u; i < p.dimensions; ++i) squared = step_squared(squared, values[a + i], values[b + i]);
  return item_of(squared, values[a + p.dimensions], values[b + p.dimensions]);
}

FloatsIn centroid_of(Pair pair, uint i) {
  const bool of_query = i < pair.query_length;
  return FloatsIn(advance_elements(of_query ? pair.query : pair.object,
                                   of_query ? i : i - pair.query_length, p.dimensions));
}

float weight_of(Pair pair, uint i) {
  if (i < pair.query_length) return FloatsIn(pair.query_weights).values[i];
  return -FloatsIn(pair.object_weights).values[i - pair.query_length];
}

REAL distant_item(Pair pair, uint row, uint column) {
  FloatsIn a = centroid_of(pair, row);
  FloatsIn b = centroid_of(pair, column);
  REAL squared = REAL(0);
  for (uint i = 0u; i < p.dimensions; ++i) squared = step_squared(squared, a.values[i], b.values[i]);
  return item_of(squared, weight_of(pair, row), weight_of(pair, column));
}

void main() {
  const uint place = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
  if (place >= p.count) return;
  const uint entry = min(place, p.count - 1u);
  const bool listed = !is_null(p.objects);
  const uint in_list = UintsIn(readable(listed, advance(p.objects, entry, 4u), p.offsets)).values[0];
  const uint number = listed ? in_list : p.first_object + entry;
  UintsIn offsets = UintsIn(advance(p.offsets, number, 4u));
  const uint first = offsets.values[0];
  const uint object_length = offsets.values[1] - first;
  const Pair pair = Pair(p.query_centroids, p.query_weights, advance_elements(p.centroids, first, p.dimensions),
                         advance(p.weights, first, 4u), p.query_length, p.query_length + object_length);
  // 65,535 centroids of 65,536 dimensions are just below 2^32.
  const bool fits = pair.centroids * sqfd_centroid_stride(p.dimensions) <= sqfd_shared_values;
  if (fits) {
    load_signature(pair.query, pair.query_weights, p.query_length, 0u, false);
    load_signature(pair.object, pair.object_weights, object_length, p.query_length, true);
  }
  barrier();

  // Item t of this invocation, then t + 256, and so on: rows and columns go on by as much.
  const uint step_rows = WORKGROUP_SIZE / pair.centroids;
  const uint step_columns = WORKGROUP_SIZE % pair.centroids;
  uint row = gl_LocalInvocationID.x / pair.centroids;
  uint column = gl_LocalInvocationID.x % pair.centroids;
  precise REAL sum = REAL(0);
  while (row < pair.centroids) {
    sum = sum + (fits ? shared_item(row, column) : distant_item(pair, row, column));
    row += step_rows;
    column += step_columns;
    if (column >= pair.centroids) {
      column -= pair.centroids;
      ++row;
    }
  }
  sums[gl_LocalInvocationID.x] = sum;
  barrier();
  if (gl_LocalInvocationID.x != 0u) return;
  precise REAL total = REAL(0);
  for (uint i = 0u; i < WORKGROUP_SIZE; ++i) total = total + sums[i];
  const float smallest_normal = uintBitsToFloat(0x00800000u);
  FloatsOut(advance(p.distances, place, 4u)).values[0] =
      total < REAL(smallest_normal) ? 0.0 : rounded_root(float(total));
}
