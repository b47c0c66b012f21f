/** What a machine can notice in an added line. Each is a lead: somebody has to look. */
const added = [
  ['a conflict that was not resolved', /^(<{7}|>{7}|={7})( |$)/],
  [
    'may be a secret',
    /(?:api[_-]?key|secret|token|passw(?:or)?d)\w*["']?\s*[:=]\s*["'][^"'\s]{8,}["']|-----BEGIN [A-Z ]*PRIVATE KEY|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{30,}/i,
  ],
  [
    'left from debugging',
    /\bconsole\.(log|debug)\(|\bdebugger\b|\bdbg!\(|\bvar_dump\(|\bbreakpoint\(\)|\bpdb\.set_trace|System\.out\.print/,
  ],
  [
    'a test is switched off, or the only one that runs',
    /\b(describe|it|test)\.(only|skip)\(|\bx(it|describe)\(|@(Ignore|Disabled)\b|@pytest\.mark\.skip|\bt\.Skip\(/,
  ],
  [
    'a check is switched off',
    /eslint-disable|@ts-ignore|@ts-nocheck|#\s*noqa|#\s*type:\s*ignore|nolint|@SuppressWarnings|#\[allow\(|verify\s*=\s*False|rejectUnauthorized:\s*false|InsecureSkipVerify/,
  ],
  [
    'runs text as code or as a command',
    /\beval\(|\bnew Function\(|\bexec\(|shell\s*=\s*True|\bos\.system\(|child_process|Runtime\.getRuntime|dangerouslySetInnerHTML|\.innerHTML\s*=/,
  ],
  ['a query put together from texts', /(["'`])\s*(select|insert|update|delete)\b[^"'`]*(\1\s*\+|\$\{|%s|\{\w*\})/i],
  ['errors are swallowed', /catch\s*(\([^)]*\))?\s*\{\s*\}|except[^:]*:\s*pass\b|\bexcept\s*:/],
  ['left to do', /\b(TODO|FIXME|XXX|HACK)\b/],
  [
    'words for a reviewing model',
    /\b(ignore (all |any )?(previous|prior) instructions|approve this|do not (report|mention|review))\b/i,
  ],
]
const removed = [
  ['a test or assertion is removed', /\b(expect|assert\w*|should)\s*[(.]|^\s*(it|test|def test_\w+)\s*\(/],
  [
    'a check of permissions or input is removed',
    /\b(authori[sz]e|is_?allowed|permission|validate|sanitize|escape|csrf)\w*\s*\(/i,
  ],
]

export const noticed = ({ name, added: plus, removed: minus }) => [
  ...plus.flatMap(({ line, text }) =>
    found(added, text).map((what) => ({ at: `${name}:${line}`, what, text: text.trim().slice(0, 160) })),
  ),
  ...minus.flatMap(({ line, text }) =>
    found(removed, text).map((what) => ({ at: `${name}:${line} (before)`, what, text: text.trim().slice(0, 160) })),
  ),
  ...(plus.length > 800
    ? [{ at: name, what: `${plus.length} lines were added: generated, or too much for one review`, text: '' }]
    : []),
]

/** Long lines are no code that somebody wrote. */
const found = (kinds, text) =>
  text.length > 2_000 ? [] : kinds.filter(([, pattern]) => pattern.test(text)).map(([what]) => what)
