import { readFile } from 'node:fs/promises'
import { noticed } from './noticed.mjs'

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('Usage: changes.mjs in.diff')

/** Added and removed lines of each file, with their numbers in the new and the old one. */
function filesIn(diff) {
  const files = []
  let file
  let [old, now] = [0, 0]
  let left = { old: 0, now: 0 }
  for (const line of diff.split(/\r?\n/)) {
    const [, fromOld, countOld = '1', fromNow, countNow = '1'] =
      /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    const isInside = left.old > 0 || left.now > 0
    if (fromOld !== undefined) {
      ;[old, now] = [Number(fromOld), Number(fromNow)]
      left = { old: Number(countOld), now: Number(countNow) }
    } else if (!isInside && line.startsWith('--- ')) file = { name: named(line), added: [], removed: [] }
    else if (!isInside && line.startsWith('+++ ') && file !== undefined) {
      const name = named(line)
      files.push(Object.assign(file, { name: name === '/dev/null' ? file.name : name, isGone: name === '/dev/null' }))
    } else if (isInside && line.startsWith('+')) {
      file.added.push({ line: now++, text: line.slice(1) })
      left.now--
    } else if (isInside && line.startsWith('-')) {
      file.removed.push({ line: old++, text: line.slice(1) })
      left.old--
    } else if (isInside && !line.startsWith('\\')) {
      now++
      old++
      left.old--
      left.now--
    }
  }
  return files
}

const named = (line) =>
  line
    .slice(4)
    .split('\t')[0]
    .trim()
    .replace(/^[ab]\//, '')

const files = filesIn(await readFile(path, 'utf8'))
if (files.length === 0) throw new Error(`${path} holds no unified diff`)
const findings = files.flatMap(noticed)
const isTest = ({ name }) => /(^|[/_.-])(tests?|spec)([/_.-]|$)/i.test(name)
const isCode = ({ name }) =>
  /\.(ts|tsx|js|jsx|mjs|cjs|py|go|rs|java|kt|rb|php|cs|c|cc|cpp|h|swift|scala|sh|sql)$/i.test(name)
const total = (list, side) => list.reduce((sum, one) => sum + one[side].length, 0)
console.log(
  JSON.stringify(
    {
      files: files.map(({ name, added, removed, isGone }) => ({
        ...{ name, added: added.length, removed: removed.length },
        ...(isGone && { deleted: true }),
      })),
      added: total(files, 'added'),
      removed: total(files, 'removed'),
      testsChanged: files.filter(isTest).length,
      codeWithoutTests: files.some((one) => isCode(one) && !isTest(one)) && !files.some(isTest),
      toLookAt: findings.slice(0, 200),
    },
    undefined,
    1,
  ),
)
