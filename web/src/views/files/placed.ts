// Where points in time stand on a line.

/** Places in proportion to time, at least `gap` apart, within `width` if they fit. Times are in order. */
export function placed(times: readonly number[], width: number, gap: number): number[] {
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0];
  const room = Math.max(width - gap, (times.length - 1) * gap, 0);
  const places = times.map((time) => (last === first ? 0 : ((time - first) / (last - first)) * room));
  for (let at = 1; at < places.length; at++) places[at] = Math.max(places[at]!, places[at - 1]! + gap);
  // What was pushed over the end moves back.
  let end = room;
  for (let at = places.length - 1; at >= 0; at--) {
    places[at] = Math.min(places[at]!, end);
    end = places[at]! - gap;
  }
  return places;
}
