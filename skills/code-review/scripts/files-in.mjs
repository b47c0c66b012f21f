/** Added and removed lines of each file of a diff, with their numbers in the new and the old one. */
export function filesIn(diff) {
  const files = []
  let [old, now] = [0, 0]
  let left = { old: 0, now: 0 }
  const header = headerReader(files)
  for (const line of diff.split(/\r?\n/)) {
    const [, fromOld, countOld = '1', fromNow, countNow = '1'] =
      /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line) ?? []
    const isInside = left.old > 0 || left.now > 0
    if (fromOld !== undefined && files.length > 0) {
      ;[old, now] = [Number(fromOld), Number(fromNow)]
      left = { old: Number(countOld), now: Number(countNow) }
    } else if (!isInside) header(line)
    else if (line.startsWith('+')) {
      files.at(-1).added.push({ line: now++, text: line.slice(1) })
      left.now--
    } else if (line.startsWith('-')) {
      files.at(-1).removed.push({ line: old++, text: line.slice(1) })
      left.old--
    } else if (!line.startsWith('\\')) {
      now++
      old++
      left.old--
      left.now--
    }
  }
  return files
}

/** Reads what stands between the changes, and begins a file of the list where a file of the diff begins. */
function headerReader(files) {
  /** Git says first which file it is. */
  let opened
  let before
  const begin = (name) => {
    files.push({ name, added: [], removed: [], about: {} })
    return files.at(-1)
  }
  const texts = (line) => {
    const name = named(line.slice(4))
    if (line.startsWith('--- ')) before = name
    else if (before !== undefined) {
      const isGone = name === '/dev/null'
      const file = opened ?? begin(name)
      Object.assign(file, { name: isGone ? before : name })
      if (isGone) file.about.deleted = true
      opened = undefined
      before = undefined
    }
  }
  return (line) => {
    if (/^(---|\+\+\+) /.test(line)) return texts(line)
    const [, same, other] = /^diff --git (?:a\/(.*) b\/\1|.* (\S+))$/.exec(line) ?? []
    if ((same ?? other) !== undefined) opened = begin(named(same ?? other))
    const [, binary] = /^Binary files .* and (.*) differ$/.exec(line) ?? []
    if (binary !== undefined) (opened ?? begin(named(binary))).about.binary = true
    else if (opened !== undefined) about(opened, line)
  }
}

const facts = {
  'rename from ': (file, name) => Object.assign(file.about, { renamedFrom: name }),
  'rename to ': (file, name) => Object.assign(file, { name }),
  'copy from ': (file, name) => Object.assign(file.about, { copiedFrom: name }),
  'copy to ': (file, name) => Object.assign(file, { name }),
  'old mode ': (file, mode) => Object.assign(file.about, { mode }),
  'new mode ': (file, mode) => Object.assign(file.about, { mode: `${file.about.mode} → ${mode}` }),
  'deleted file mode ': (file) => Object.assign(file.about, { deleted: true }),
  'GIT binary patch': (file) => Object.assign(file.about, { binary: true }),
}

function about(file, line) {
  for (const [start, note] of Object.entries(facts)) if (line.startsWith(start)) note(file, line.slice(start.length))
}

const named = (name) =>
  name
    .split('\t')[0]
    .trim()
    .replace(/^[ab]\//, '')
