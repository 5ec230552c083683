// Float-float arithmetic (Dekker 1971; Knuth, TAOCP 2, 4.2.2): a number is an unevaluated
// sum of two binary32, |low| at most half a unit in the last place of high, some 48 bits.
// Nothing but additions, subtractions and multiplications that round once, in a fixed
// order: the same bits on every device, as long as no value leaves the range of normal numbers.
// Without include guard, see scalar.h; one of these, for each PROXEL_FLOAT:

struct float_float {
  PROXEL_FLOAT high;
  PROXEL_FLOAT low;
};

// a + b, exactly. |a| >= |b|, or a is 0.
PROXEL_INLINE float_float quick_two_sum(PROXEL_FLOAT a, PROXEL_FLOAT b) {
  PROXEL_PRECISE PROXEL_FLOAT high = a + b;
  PROXEL_PRECISE PROXEL_FLOAT low = b - (high - a);
  return PROXEL_MAKE(float_float, high, low);
}

// a + b, exactly.
PROXEL_INLINE float_float two_sum(PROXEL_FLOAT a, PROXEL_FLOAT b) {
  PROXEL_PRECISE PROXEL_FLOAT high = a + b;
  PROXEL_PRECISE PROXEL_FLOAT of_b = high - a;
  PROXEL_PRECISE PROXEL_FLOAT low = (a - (high - of_b)) + (b - of_b);
  return PROXEL_MAKE(float_float, high, low);
}

// a * b, exactly: what the product was rounded by has one value, whether a fused
// multiply-add finds it or halves of 12 bits (Veltkamp, Dekker).
PROXEL_INLINE float_float two_product(PROXEL_FLOAT a, PROXEL_FLOAT b) {
  PROXEL_PRECISE PROXEL_FLOAT high = a * b;
#ifdef PROXEL_FUSED_PRODUCTS
  PROXEL_PRECISE PROXEL_FLOAT low = fused(a, b, -high);
#else
  PROXEL_PRECISE PROXEL_FLOAT a_wide = a * 4097.0f;
  PROXEL_PRECISE PROXEL_FLOAT a_high = a_wide - (a_wide - a);
  PROXEL_PRECISE PROXEL_FLOAT a_low = a - a_high;
  PROXEL_PRECISE PROXEL_FLOAT b_wide = b * 4097.0f;
  PROXEL_PRECISE PROXEL_FLOAT b_high = b_wide - (b_wide - b);
  PROXEL_PRECISE PROXEL_FLOAT b_low = b - b_high;
  PROXEL_PRECISE PROXEL_FLOAT low =
      ((a_high * b_high - high) + a_high * b_low + a_low * b_high) + a_low * b_low;
#endif
  return PROXEL_MAKE(float_float, high, low);
}

// x + y, within 2^-44 |x + y|, also where they nearly cancel; exactly 0 for x = -y.
PROXEL_INLINE float_float sum_of(float_float x, float_float y) {
  float_float high = two_sum(x.high, y.high);
  float_float low = two_sum(x.low, y.low);
  PROXEL_PRECISE PROXEL_FLOAT rest = high.low + low.high;
  float_float sum = quick_two_sum(high.high, rest);
  PROXEL_PRECISE PROXEL_FLOAT last = sum.low + low.low;
  return quick_two_sum(sum.high, last);
}

// x * factor, within 2^-46 of it.
PROXEL_INLINE float_float product_of(float_float x, PROXEL_FLOAT factor) {
  float_float product = two_product(x.high, factor);
  PROXEL_PRECISE PROXEL_FLOAT low = product.low + x.low * factor;
  return quick_two_sum(product.high, low);
}

// sum + x * factor, within 2^-45 of it, for a sum and a product of one sign.
PROXEL_INLINE float_float sum_with_product(float_float sum, float_float x, PROXEL_FLOAT factor) {
  float_float product = two_product(x.high, factor);
  float_float high = two_sum(sum.high, product.high);
  PROXEL_PRECISE PROXEL_FLOAT low = high.low + (sum.low + (product.low + x.low * factor));
  return quick_two_sum(high.high, low);
}

// sum + (a - b)^2, within 2^-45 of it, for a sum that is not negative. The difference is
// exact, whatever offset a and b have in common.
PROXEL_INLINE float_float sum_with_squared_difference(float_float sum, PROXEL_FLOAT a, PROXEL_FLOAT b) {
  float_float difference = two_sum(a, -b);
  float_float square = two_product(difference.high, difference.high);
  float_float high = two_sum(sum.high, square.high);
  PROXEL_PRECISE PROXEL_FLOAT cross = (difference.high + difference.high) * difference.low;
  PROXEL_PRECISE PROXEL_FLOAT low = high.low + (sum.low + (square.low + cross));
  return quick_two_sum(high.high, low);
}

// sqrt(x) of x.high = 0 or 2^-76 … 2^120, within 2^-43 of it: Newton's steps from a guess in integers.
PROXEL_INLINE float_float root_of(float_float x) {
  PROXEL_PRECISE PROXEL_FLOAT inverse = float_of_bits(0x5F3759DF - (bits_of(x.high) >> 1));
  PROXEL_PRECISE PROXEL_FLOAT half_of = 0.5f * x.high;
  inverse = inverse * (1.5f - (half_of * inverse) * inverse);
  inverse = inverse * (1.5f - (half_of * inverse) * inverse);
  inverse = inverse * (1.5f - (half_of * inverse) * inverse);
  PROXEL_PRECISE PROXEL_FLOAT root = x.high * inverse;
  float_float square = two_product(root, root);
  PROXEL_PRECISE PROXEL_FLOAT rest = (x.high - square.high) + (x.low - square.low);
  PROXEL_PRECISE PROXEL_FLOAT low = rest * (0.5f * inverse);
  return quick_two_sum(root, low);
}

// 1 / x of x.high = 2^-60 … 2^60, within 2^-43 of it, in the same way.
PROXEL_INLINE float_float inverse_of(float_float x) {
  PROXEL_PRECISE PROXEL_FLOAT inverse = float_of_bits(0x7EF311C7 - bits_of(x.high));
  inverse = inverse * (2.0f - x.high * inverse);
  inverse = inverse * (2.0f - x.high * inverse);
  inverse = inverse * (2.0f - x.high * inverse);
  float_float one = two_product(x.high, inverse);
  PROXEL_PRECISE PROXEL_FLOAT rest = ((1.0f - one.high) - one.low) - x.low * inverse;
  PROXEL_PRECISE PROXEL_FLOAT low = inverse * rest;
  return quick_two_sum(inverse, low);
}

// e^-x of x >= 0, within 2^-42 of it; 0 from 34.65 on, where it is below 2^-49.
// With j the whole number nearest to 32 x / ln 2 and r = x - j ln 2 / 32 it is
// 2^-(j / 32) (1 - r + r^2 / 2 - …), |r| < 0.011: five powers of r leave 2^-48.
PROXEL_INLINE float_float exponential_of_minus(float_float x) {
  PROXEL_FLOAT zero = PROXEL_EVERY(0.0f);
  PROXEL_PRECISE PROXEL_FLOAT x_high = PROXEL_CHOOSE(x.high < 34.65f, x.high, zero);
  PROXEL_PRECISE PROXEL_FLOAT x_low = PROXEL_CHOOSE(x.high < 34.65f, x.low, zero);
  PROXEL_PRECISE PROXEL_FLOAT nearest = x_high * 46.1662407f + 0.5f;
  PROXEL_INT j = whole_of(nearest);
  PROXEL_PRECISE PROXEL_FLOAT steps = float_of(j);
  // ln 2 / 32 in parts of 13, 13 and 24 bits: j, of 11 bits, times the first two is exact.
  float_float first = two_sum(x_high, -(steps * 0.0216598511f));
  float_float second = two_sum(first.high, -(steps * 9.98144969e-07f));
  PROXEL_PRECISE PROXEL_FLOAT third = (first.low + second.low) + (x_low - steps * 1.733102e-10f);
  float_float r = two_sum(second.high, third);

  float_float square = two_product(r.high, r.high);
  PROXEL_PRECISE PROXEL_FLOAT tail =
      (r.high * square.high) * ((r.high * (0.0416666679f - r.high * 0.00833333377f)) - 0.166666672f);
  float_float line = two_sum(PROXEL_EVERY(1.0f), -r.high);
  float_float parabola = two_sum(line.high, 0.5f * square.high);
  PROXEL_PRECISE PROXEL_FLOAT rest =
      (line.low + parabola.low) + (((0.5f * square.low + r.high * r.low) - r.low) + tail);
  float_float power = quick_two_sum(parabola.high, rest);

  PROXEL_INT place = j & 31;
  PROXEL_PRECISE PROXEL_FLOAT table_high = PROXEL_LOOK_UP(exponential_high, place);
  PROXEL_PRECISE PROXEL_FLOAT table_low = PROXEL_LOOK_UP(exponential_low, place);
  float_float product = two_product(table_high, power.high);
  PROXEL_PRECISE PROXEL_FLOAT product_low = product.low + (table_high * power.low + table_low * power.high);
  float_float value = quick_two_sum(product.high, product_low);
  PROXEL_PRECISE PROXEL_FLOAT scale = float_of_bits((127 - (j >> 5)) << 23);
  PROXEL_PRECISE PROXEL_FLOAT high = PROXEL_CHOOSE(x.high < 34.65f, value.high * scale, zero);
  PROXEL_PRECISE PROXEL_FLOAT low = PROXEL_CHOOSE(x.high < 34.65f, value.low * scale, zero);
  return PROXEL_MAKE(float_float, high, low);
}
