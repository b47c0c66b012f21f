/** The name of a sheet as a formula has it, `Sheet!` or `'It''s'!`, without its quotes. */
const nameIn = (token) => token.replace(/^'?(.*?)'?!$/, '$1').replaceAll("''", "'")

/** Merged cells have the first one's value, which counts once. */
const merged = (cell) => cell.master !== cell

/**
 * Computes what is plain in a workbook, so that programs that don't compute show values: numbers, references, + - * /, and
 * SUM, AVERAGE, MIN, MAX, COUNT. Everything else, such as dates and errors, is left to Excel. Returns the cells that divide
 * by zero.
 */
export function compute(book) {
  const sheets = new Map(book.worksheets.map((sheet) => [sheet.name.toLowerCase(), sheet]))
  const known = new Map()
  const divided = new Set()

  function computed(sheet, address, trail) {
    const key = `${sheet.name}!${address}`
    if (known.has(key)) return known.get(key)
    if (trail.includes(key) || trail.length > 200) return undefined
    const cell = sheet.getCell(address)
    let value = cell.formula ? evaluate(cell.formula, sheet, [...trail, key]) : merged(cell) ? null : cell.value
    if (value === null || value === undefined) value = cell.formula ? undefined : 0
    known.set(key, value)
    return value
  }

  function evaluate(formula, sheet, trail) {
    const tokens =
      formula.match(
        /'(?:[^']|'')+'!|[\p{L}_][\p{L}\p{N}_.]*!|\$?[A-Za-z]{1,3}\$?\d+|\d+(?:\.\d+)?|[A-Za-z]+|[-+*/(),:]|\S/gu,
      ) ?? []
    let at = 0
    let failed = false
    const fail = () => {
      failed = true
      return 0
    }
    const reference = () => {
      let home = sheet
      if (tokens[at]?.endsWith('!')) home = sheets.get(nameIn(tokens[at++]).toLowerCase())
      const address = tokens[at]?.replaceAll('$', '').toUpperCase()
      if (home === undefined || !/^[A-Z]{1,3}\d+$/.test(address ?? '')) return undefined
      at++
      return { home, address }
    }
    const values = () => {
      const begun = at
      const first = reference()
      // A cell alone is a range too: what isn't a number in it doesn't count.
      if (first !== undefined && [':', ',', ')'].includes(tokens[at])) {
        if (tokens[at] === ':') at++
        const last = tokens[at - 1] === ':' ? reference() : first
        if (last === undefined) return [fail()]
        const [a, b] = [first.home.getCell(first.address), first.home.getCell(last.address)]
        const found = []
        for (let row = Math.min(a.row, b.row); row <= Math.max(a.row, b.row); row++)
          for (
            let column = Math.min(Number(a.col), Number(b.col));
            column <= Math.max(Number(a.col), Number(b.col));
            column++
          ) {
            const cell = first.home.getCell(row, column)
            if (cell.value === null || cell.value === undefined || merged(cell)) continue
            const value = computed(first.home, cell.address, trail)
            if (value === undefined || value instanceof Date || value.error !== undefined) return [fail()]
            if (typeof value === 'number') found.push(value)
            if (found.length > 100_000) return [fail()]
          }
        return found
      }
      at = begun
      return [sum()]
    }
    const all = {
      SUM: (list) => list.reduce((total, one) => total + one, 0),
      AVERAGE: (list) => (list.length === 0 ? fail() : list.reduce((total, one) => total + one, 0) / list.length),
      MIN: (list) => (list.length === 0 ? 0 : list.reduce((least, one) => Math.min(least, one))),
      MAX: (list) => (list.length === 0 ? 0 : list.reduce((most, one) => Math.max(most, one))),
      COUNT: (list) => list.length,
    }
    const factor = () => {
      const token = tokens[at]
      if (token === '-' || token === '+') {
        at++
        return token === '-' ? -factor() : factor()
      }
      if (token === '(') {
        at++
        const inside = sum()
        return tokens[at++] === ')' ? inside : fail()
      }
      if (/^\d/.test(token ?? '')) {
        at++
        return Number(token)
      }
      if (tokens[at + 1] === '(' && Object.hasOwn(all, token.toUpperCase())) {
        at += 2
        // Not with push(...), as a call can't have that many arguments.
        let list = values()
        while (tokens[at] === ',') {
          at++
          list = list.concat(values())
        }
        return tokens[at++] === ')' ? all[token.toUpperCase()](list) : fail()
      }
      const found = reference()
      const value = found && computed(found.home, found.address, trail)
      return typeof value === 'number' ? value : fail()
    }
    const product = () => {
      let result = factor()
      while (!failed && (tokens[at] === '*' || tokens[at] === '/'))
        result = tokens[at++] === '*' ? result * factor() : result / divisor()
      return result
    }
    const divisor = () => {
      const value = factor()
      if (value === 0 && !failed) divided.add(trail.at(-1))
      return value === 0 ? fail() : value
    }
    function sum() {
      let result = product()
      while (!failed && (tokens[at] === '+' || tokens[at] === '-'))
        result = tokens[at++] === '+' ? result + product() : result - product()
      return result
    }
    const result = sum()
    return failed || at < tokens.length || !Number.isFinite(result) ? undefined : result
  }

  for (const sheet of book.worksheets)
    sheet.eachRow((row) =>
      row.eachCell((cell) => {
        if (!cell.formula || cell.result !== undefined || cell.model.shareType === 'array') return
        const result = computed(sheet, cell.address, [])
        if (result !== undefined) cell.value = { formula: cell.formula, result }
      }),
    )
  return divided
}
