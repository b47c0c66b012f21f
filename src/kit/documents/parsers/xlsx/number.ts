const isDigit = (token: string): boolean => token === '0' || token === '#' || token === '?'

/** A number by the tokens of a format: digits, grouping, percent, exponent, fraction, and text around them. */
export function formatNumber(value: number, tokens: string[], general: (value: number) => string): string {
  // A point and zeros are one token in times; here they are digits.
  const marks = tokens.flatMap((token) => (/^\.0/.test(token) ? [...token] : [token]))
  if (marks.some((mark) => /^general$/i.test(mark) || mark === '@')) {
    return marks.map((mark) => (/^general$/i.test(mark) || mark === '@' ? general(value) : literal(mark))).join('')
  }
  const first = marks.findIndex(isDigit)
  // Text alone, such as "n/a", is shown for every number.
  if (first === -1) return marks.map(literal).join('')
  const last = lastDigit(marks)
  const body = marks.slice(first > 0 && marks[first - 1] === '.' ? first - 1 : first, last + 1)
  const before = marks.slice(0, first > 0 && marks[first - 1] === '.' ? first - 1 : first)
  const after = marks.slice(last + 1)
  const percents = marks.filter((mark) => mark === '%').length
  const thousands = after.findIndex((mark) => mark !== ',')
  const scale = 100 ** percents / 1000 ** (thousands === -1 ? after.length : thousands)
  const shown = bodyOf(Math.abs(value) * scale, body)
  const sign = value < 0 && /[1-9]/.test(shown) ? '-' : ''
  return sign + before.map(literal).join('') + shown + after.slice(Math.max(0, thousands)).map(literal).join('')
}

/** Where the body ends. A fixed denominator such as the 4 of `# ?/4` belongs to it. */
function lastDigit(marks: readonly string[]): number {
  let last = marks.findLastIndex(isDigit)
  const slash = marks.indexOf('/', marks.findIndex(isDigit))
  if (slash >= last && /^\d$/.test(marks[slash + 1] ?? '')) last = slash
  if (slash !== -1 && slash <= last) while (/^\d$/.test(marks[last + 1] ?? '')) last++
  return last
}

/** A minus or a bracket before its first digit. */
export function writesOwnSign(tokens: readonly string[]): boolean {
  const first = tokens.findIndex((token) => isDigit(token) || /^\.0/.test(token))
  return tokens.slice(0, Math.max(0, first)).some((token) => /^"?[-(−]/.test(token))
}

const literal = (mark: string): string => (mark.startsWith('"') ? mark.slice(1) : mark === ',' ? '' : mark)

function bodyOf(value: number, body: string[]): string {
  const exponent = body.findIndex((mark) => /^E[+-]$/i.test(mark))
  if (exponent !== -1) return scientific(value, body.slice(0, exponent), body.slice(exponent))
  const slash = body.indexOf('/')
  if (slash > 0) return fraction(value, body, slash)
  return fixed(value, body)
}

function fixed(value: number, body: string[]): string {
  const point = body.indexOf('.')
  const whole = point === -1 ? body : body.slice(0, point)
  const decimals = point === -1 ? [] : body.slice(point + 1).filter(isDigit)
  const [integer = '0', digits = ''] = plain(value, Math.min(30, decimals.length)).split('.')
  const least = whole.filter((mark) => mark === '0').length
  const zeroless = integer === '0' && least === 0 ? '' : integer.padStart(least, '0')
  // Text between the digits, as in 000-00-0000, puts each digit in its own place.
  const hasText = whole.some((mark) => !isDigit(mark) && mark !== ',')
  const placed = hasText ? inPlaces(zeroless, whole) : whole.includes(',') ? grouped(zeroless) : zeroless
  const kept = optional(digits, decimals)
  return kept === '' && point === -1 ? placed : `${placed}.${kept}`.replace(/\.$/, '')
}

/** `toFixed` without its two faults: exponents from 1e21 on, and 1.005 becoming 1.00. */
function plain(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return String(value)
  if (value >= 1e21) return BigInt(Math.round(value)).toString()
  const tidy = Number(`${Math.round(Number(`${Number(value.toPrecision(15))}e${decimals}`))}e-${decimals}`)
  return (Number.isFinite(tidy) ? tidy : value).toFixed(decimals)
}

const grouped = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, ',')

/** Trailing zeros are dropped where the format has `#`. */
function optional(digits: string, marks: string[]): string {
  let end = digits.length
  while (end > 0 && digits[end - 1] === '0' && marks[end - 1] !== '0') end--
  return digits.slice(0, end)
}

function inPlaces(digits: string, marks: string[]): string {
  const rest = [...digits]
  const shown: string[] = []
  const first = marks.findIndex(isDigit)
  for (let index = marks.length - 1; index >= 0; index--) {
    const mark = marks[index] ?? ''
    if (!isDigit(mark)) shown.unshift(literal(mark))
    else if (index === first) shown.unshift(rest.splice(0).join(''))
    else shown.unshift(rest.pop() ?? (mark === '0' ? '0' : ''))
  }
  return shown.join('')
}

function scientific(value: number, mantissa: string[], tail: string[]): string {
  const point = mantissa.indexOf('.')
  const decimals = point === -1 ? 0 : mantissa.slice(point + 1).filter(isDigit).length
  const [digits = '0', power = '0'] = value.toExponential(Math.min(20, decimals)).split('e')
  const least = tail.filter(isDigit).length
  const size = String(Math.abs(Number(power))).padStart(least, '0')
  return `${digits}E${Number(power) < 0 ? '-' : tail[0]?.endsWith('+') ? '+' : ''}${size}`
}

function fraction(value: number, body: string[], slash: number): string {
  const below = body.slice(slash + 1)
  const fixedBelow = Number(below.join(''))
  const digits = below.filter(isDigit).length
  const space = body.slice(0, slash).findLastIndex((mark) => mark === ' ' || mark === '" ')
  const whole = space === -1 ? 0 : Math.floor(value)
  const [above, denominator] =
    fixedBelow > 0
      ? [Math.round((value - whole) * fixedBelow), fixedBelow]
      : nearest(value - whole, 10 ** Math.min(4, digits) - 1)
  if (above === 0) return String(whole)
  if (above === denominator && space !== -1) return String(whole + 1)
  return whole === 0 ? `${above}/${denominator}` : `${whole} ${above}/${denominator}`
}

/** The best fraction whose denominator isn't above `most`, by continued fractions. */
function nearest(value: number, most: number): [above: number, below: number] {
  let [above, below, lastAbove, lastBelow] = [Math.floor(value), 1, 1, 0]
  let rest = value - Math.floor(value)
  while (rest > 1e-9) {
    const next = Math.floor(1 / rest)
    rest = 1 / rest - next
    const following = next * below + lastBelow
    if (following > most) break
    ;[above, lastAbove] = [next * above + lastAbove, above]
    ;[below, lastBelow] = [following, below]
  }
  return [above, below]
}
