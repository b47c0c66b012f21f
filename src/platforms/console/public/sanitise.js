/** Turns HTML text into safe nodes. Nothing reaches the page without it. */
import createPurifier from 'dompurify'

const tags =
  'a b blockquote br code del details em h1 h2 h3 h4 h5 h6 hr i img input kbd li ol p pre s span strong sub summary sup table tbody td th thead tr ul'
const attributes = 'align alt checked class disabled download href loading open rel src start target title type'

const settings = {
  ALLOWED_TAGS: tags.split(' '),
  ALLOWED_ATTR: attributes.split(' '),
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: true,
}

/** A class could make text look like one of the console's own cards. */
const classes = /^(language-[\w+#.-]+|math-(inline|block)|footnote-reference|footnotes|hljs-[a-z-]+( [a-z]+_+)*)$/

const ownFiles = `${location.origin}/api/v1/agent/conversations/`

const purifier = createPurifier(window)
purifier.addHook('afterSanitizeAttributes', (node) => {
  if (node.hasAttribute('class') && !classes.test(node.getAttribute('class'))) node.removeAttribute('class')
  if (node.nodeName === 'IMG' && !node.src.startsWith(ownFiles)) node.remove()
  if (node.nodeName === 'INPUT' && node.type !== 'checkbox') node.remove()
  if (node.nodeName === 'A' && !node.href.startsWith(ownFiles)) {
    node.setAttribute('target', '_blank')
    node.setAttribute('rel', 'noopener noreferrer')
  }
})

/** @returns {DocumentFragment} */
export const sanitise = (html) => purifier.sanitize(html, settings)
