/** The smallest of these numbers of rounds, but at least one, or nobody would ever read the result. */
export function fewest(...rounds: (number | undefined)[]): number | undefined {
  const given = rounds.filter((one) => one !== undefined && Number.isFinite(one)) as number[]
  return given.length === 0 ? undefined : Math.max(1, Math.floor(Math.min(...given)))
}
