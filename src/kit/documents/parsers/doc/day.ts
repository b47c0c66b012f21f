/** Of a date as Word stores it: minute, hour, day, month, year since 1900, weekday. */
export function dayOf(date: number): string | undefined {
  const [day, month, year] = [(date >>> 11) & 31, (date >>> 16) & 15, ((date >>> 20) & 511) + 1900]
  if (day === 0 || month === 0) return undefined
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
}
