// The k-th smallest of keys of a value and a column: as kth_by_counting.glsl, with
//   counting_keys_begin();
//   do {
//     counting_next();
//     counting_keys_add(value's key, column) with every key
//   } while (!counting_keys_narrow(k, slack));
// At least k keys do not exceed what is left in counting_kth, and never more than k + slack. All ones where there are fewer than k.
#ifndef PROXEL_KTH_KEY_BY_COUNTING_GLSL
#define PROXEL_KTH_KEY_BY_COUNTING_GLSL
#include "kth_by_counting.glsl"

bool counting_equals;  // columns of keys whose value is `counting_value` are counted
uint counting_value;
uint counting_rest;    // how many of these belong to the k smallest
uvec2 counting_kth;

void counting_keys_begin() {
  counting_equals = false;
  counting_begin();
}

void counting_keys_add(uint value, uint column) {
  if (!counting_equals) {
    counting_add(value);
  } else if (value == counting_value) {
    counting_add(column);
  }
}

bool counting_keys_narrow(uint k, uint slack) {
  if (!counting_narrow(counting_equals ? counting_rest : k, slack)) return false;
  if (counting_equals) {
    counting_kth = uvec2(counting_value, counting_key);
    return true;
  }
  counting_kth = uvec2(counting_key, 0xFFFFFFFFu);
  if (counting_less + counted[counting_bin] <= k + slack) return true;
  // Of equal values those of the first columns come first.
  counting_equals = true;
  counting_value = counting_key;
  counting_rest = k - counting_less;
  barrier();  // all have read what the next count overwrites
  counting_begin();
  return false;
}

#endif
