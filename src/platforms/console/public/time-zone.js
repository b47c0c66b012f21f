/** A browser that can't tell its time zone gives a name that isn't one, such as Etc/Unknown. */
export function timeZoneHere() {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  try {
    new Intl.DateTimeFormat('en', { timeZone })
    return timeZone
  } catch {
    return undefined
  }
}
