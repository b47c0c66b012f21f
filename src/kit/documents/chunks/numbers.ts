const digits = /^\d+(?:[-./:,'’_\u00a0\u202f\u2009]\d+)*$/
const decimals = /^\d+(?:[.,'’\u00a0\u202f\u2009]\d+)*$/

/** `1,234.56`, `1.234,56`, `1'234.56`, `1 234,56` */
const grouped = /^\d{1,3}(?:([.,'’\u00a0\u202f\u2009])\d{3}(?:\1\d{3})*)(?:([.,])\d+)?$/

/**
 * The spellings under which a number is found, the written one first; undefined if it isn't a number. `isAmount`: its
 * groups of digits mean nothing on their own, unlike those of a date.
 */
export function numberForms(written: string): { forms: string[]; isAmount: boolean } | undefined {
  if (!digits.test(written) || /^\d+$/.test(written)) return undefined
  const spelled = written.replaceAll(/['’\u00a0\u202f\u2009]/g, '_')
  if (!decimals.test(written)) return { forms: [spelled], isAmount: false }
  const groups = written.split(/\D/)
  const isDate = groups.length > 2 && groups.some(({ length }) => length === 4)
  return { forms: [...new Set([spelled, ...valuesOf(written, groups)])], isAmount: !isDate }
}

/** As `1234.56`. `1.234` is ambiguous, so it is found as both. */
function valuesOf(written: string, groups: string[]): string[] {
  const values: string[] = []
  const parts = grouped.exec(written)
  const [, separator, point] = parts ?? []
  if (separator !== undefined && separator !== point) {
    const whole = point === undefined ? written : written.slice(0, written.lastIndexOf(point))
    const fraction = point === undefined ? '' : `.${groups.at(-1)}`
    values.push(whole.replaceAll(/\D/g, '') + fraction)
  }
  if (groups.length === 2 && /[.,]/.test(written)) values.push(groups.join('.'))
  return values
}
