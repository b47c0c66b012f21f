/**
 * The cron expression of an interval. Undefined if it has none: cron begins anew with each hour and day, so "every 45
 * minutes" would come at :00, :45 and :00.
 */
export function cronEvery(count: number, unit: 'minute' | 'hour'): string | undefined {
  const minutes = unit === 'hour' ? count * 60 : count
  if (minutes === 1) return '* * * * *'
  if (minutes < 60) return 60 % minutes === 0 ? `*/${minutes} * * * *` : undefined
  const hours = minutes / 60
  if (hours === 1) return '0 * * * *'
  if (hours === 24) return '0 0 * * *'
  return minutes % 60 === 0 && 24 % hours === 0 ? `0 */${hours} * * *` : undefined
}
