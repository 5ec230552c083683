// A colour of its own for each cluster, as far as colours go.
vec3 cluster_color(uint cluster, bool on_light) {
  const uint scattered = cluster * 2654435769u;
  const float hue = float(scattered >> 8) / 16777216.0;
  const vec3 color = clamp(abs(fract(hue + vec3(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
  const float bright = 0.6 + 0.4 * float(scattered & 255u) / 255.0;
  return on_light ? mix(vec3(0.0), color, 0.85 * bright) : mix(vec3(1.0), color, 0.65) * bright;
}
