/**
 * The bot's Markdown as HTML text. Raw HTML is shown as text except for a few harmless tags, only safe links stay
 * links, and a picture from elsewhere becomes a link, since loading it would tell its host what the model wrote into
 * the address. The result still goes through the sanitiser.
 */
import { Marked } from 'marked'
import { leadsTo } from './leads-to.js'
import { createFootnotes } from './markdown-footnotes.js'
import { mathExtensions } from './markdown-math.js'

const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
const escapeHtml = (text) => text.replace(/[&<>"']/g, (character) => entities[character])

const decoded = (text) => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * @param {string} href
 * @param {(path: string) => string} fileUrl Address of a file of the thread.
 * @returns {{ kind: 'outside' | 'file', href: string } | undefined} Undefined for an unsafe link.
 */
export function linkTarget(href, fileUrl) {
  // Browsers ignore control characters and leading blanks in a scheme, so the check has to as well.
  const clean = href.replace(/[\p{Cc}\s]/gu, '')
  if (/^(https?:\/\/|mailto:)/i.test(clean)) return { kind: 'outside', href: clean }
  if (clean === '' || /^[/\\#?]/.test(clean) || /^[a-z][a-z0-9+.-]*:/i.test(clean)) return undefined
  const path = decoded(href.trim().replace(/[?#].*$/, ''))
  return path.split(/[/\\]/).includes('..') ? undefined : { kind: 'file', href: fileUrl(path) }
}

/** A title of the model's on an outside link could pass for its address. */
const anchor = (target, title, content, words) => {
  const hint = title ? ` title="${escapeHtml(title)}"` : ''
  if (target.kind === 'file') return `<a href="${escapeHtml(target.href)}"${hint} download>${content}</a>`
  const link = `<a href="${escapeHtml(target.href)}" rel="noopener noreferrer" target="_blank">${content}</a>`
  return link + escapeHtml(leadsTo(words, target.href))
}

/** The words of inline tokens, without marks. */
const wordsOf = (tokens) =>
  tokens.map((token) => (token.tokens ? wordsOf(token.tokens) : (token.text ?? token.raw))).join('')

/** Shown as they are written in the words of a link, because only a browser knows what all of them look like. */
const named = /&(?!(?:amp|lt|gt|quot|nbsp|ndash|mdash|hellip);)([a-z]\w*;)/gi

/** Tags without attributes that models write, and that can do nothing but format text. */
const harmless = /&lt;(\/?(?:details|summary|kbd|sub|sup)|details open|br ?\/?)&gt;/gi

const rendererFor = (fileUrl) => ({
  html: ({ text }) => escapeHtml(text).replace(harmless, '<$1>'),
  link({ href, title, tokens }) {
    const content = this.parser.parseInline(tokens).replace(named, '&amp;$1')
    const target = linkTarget(href, fileUrl)
    return target ? anchor(target, title, content, wordsOf(tokens)) : `${content} <code>${escapeHtml(href)}</code>`
  },
  image({ href, title, text }) {
    const target = linkTarget(href, fileUrl)
    const label = escapeHtml(text || title || 'picture')
    if (!target) return label
    if (target.kind === 'outside') return anchor(target, title, `${label} (picture, not loaded)`, text)
    return `<img src="${escapeHtml(target.href)}" alt="${label}" loading="lazy">`
  },
  checkbox: ({ checked }) => `<input type="checkbox" disabled${checked ? ' checked' : ''}> `,
})

/** A budget of characters for inline matching, because each attempt may scan to the end of its paragraph. */
const mostLookedOver = 300_000_000

/**
 * Past the budget, the rest of a paragraph stays plain. To marked, `false` means its own tokenizer and `undefined` no
 * match.
 */
function boundedTokenizer(budget) {
  const within = (source) => {
    budget.left -= source.length
    return budget.left < 0 ? undefined : false
  }
  const inlineText = (source) => within(source) ?? { type: 'text', raw: source, text: source }
  return { emStrong: within, del: within, url: within, inlineText }
}

/** @returns {(markdown: string) => string} */
export function createMarkdown(fileUrl) {
  const budget = { left: 0 }
  const within = (length) => {
    budget.left -= length
    return budget.left >= 0
  }
  const footnotes = createFootnotes()
  const marked = new Marked({ gfm: true, breaks: false, renderer: rendererFor(fileUrl) })
  marked.use({ tokenizer: boundedTokenizer(budget) })
  marked.use({ extensions: [...footnotes.extensions, ...mathExtensions(within, escapeHtml)] })
  return (markdown) => {
    budget.left = mostLookedOver
    footnotes.begin()
    try {
      const text = marked.parser(marked.lexer(markdown))
      return text + footnotes.list(new marked.Parser(marked.defaults))
    } catch {
      // Quotes nested too deeply for the parser.
      return `<pre>${escapeHtml(markdown)}</pre>`
    }
  }
}
