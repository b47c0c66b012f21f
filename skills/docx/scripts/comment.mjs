import { all, attribute, child, declare, parsed, relate } from './package.mjs'

const part = 'word/comments.xml'

/** Adds a comment about a whole paragraph. */
export async function comment(file, paragraph, text, author) {
  const { namespaceURI: space, ownerDocument: document } = paragraph
  if (!file.has(part)) {
    file.add(part, `<w:comments xmlns:w="${space}"/>`)
    await relate(file, 'word/document.xml', 'comments', 'comments.xml')
    await declare(file, part, 'application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml')
  }
  const comments = await file.xml(part)
  const ids = all(comments, 'comment').map((one) => Number(attribute(one, 'id')))
  const id = Math.max(-1, ...ids) + 1
  const escaped = (words) => words.replace(/[&<>"]/g, (one) => `&#${one.codePointAt(0)};`)
  const date = `${new Date().toISOString().slice(0, 19)}Z`
  const lines = text.split('\n').map((line) => `<w:p><w:r><w:t xml:space="preserve">${escaped(line)}</w:t></w:r></w:p>`)
  const written = parsed(
    `<w:comment xmlns:w="${space}" w:id="${id}" w:author="${escaped(author)}" w:date="${date}" w:initials="${escaped(author.slice(0, 2))}">${lines.join('')}</w:comment>`,
  )
  comments.documentElement.appendChild(comments.importNode(written.documentElement, true))

  const marker = (name) => {
    const mark = document.createElementNS(space, `w:${name}`)
    mark.setAttributeNS(space, 'w:id', String(id))
    return mark
  }
  const format = child(paragraph, 'pPr')
  paragraph.insertBefore(marker('commentRangeStart'), format === undefined ? paragraph.firstChild : format.nextSibling)
  paragraph.appendChild(marker('commentRangeEnd'))
  const run = document.createElementNS(space, 'w:r')
  run.appendChild(marker('commentReference'))
  paragraph.appendChild(run)
}
