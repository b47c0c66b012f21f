// Discord's ids are times in front of a counter: 42 bits of ms since 2015, then 22 bits.
const epoch = 1_420_070_400_000
const counterBits = 22n

/** When the thing with this id was created, ms. */
export const timeOf = (id: string): number => Number(BigInt(id) >> counterBits) + epoch

/** The first id of that ms. */
export const firstIdAt = (ms: number): string => String(BigInt(Math.max(0, Math.floor(ms) - epoch)) << counterBits)

export const isId = (text: string): boolean => /^\d{15,20}$/.test(text)

/** For sorting, oldest first. */
export const byAge = (a: string, b: string): number => {
  const difference = BigInt(a) - BigInt(b)
  return difference < 0n ? -1 : Number(difference > 0n)
}

export const isNewer = (a: string, b: string): boolean => byAge(a, b) > 0
