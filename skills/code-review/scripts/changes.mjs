import { readFile } from 'node:fs/promises'
import { filesIn } from './files-in.mjs'
import { noticed } from './noticed.mjs'

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('Usage: changes.mjs in.diff')

const files = filesIn(await readFile(path, 'utf8'))
if (files.length === 0) throw new Error(`${path} holds no unified diff`)
const findings = files.flatMap(noticed)
const isTest = ({ name }) => /(^|[/_.-])(tests?|spec)([/_.-]|$)/i.test(name)
const isCode = ({ name }) =>
  /\.(ts|tsx|js|jsx|mjs|cjs|py|go|rs|java|kt|rb|php|cs|c|cc|cpp|h|swift|scala|sh|sql)$/i.test(name)
const hasText = ({ added, removed }) => added.length + removed.length > 0
const total = (list, side) => list.reduce((sum, one) => sum + one[side].length, 0)
console.log(
  JSON.stringify(
    {
      files: files.map(({ name, added, removed, about }) => ({
        ...{ name, added: added.length, removed: removed.length },
        ...about,
      })),
      added: total(files, 'added'),
      removed: total(files, 'removed'),
      testsChanged: files.filter(isTest).length,
      codeWithoutTests: files.some((one) => hasText(one) && isCode(one) && !isTest(one)) && !files.some(isTest),
      toLookAt: findings.slice(0, 200),
    },
    undefined,
    1,
  ),
)
