import type { ShellWord } from './shell-word.ts'

/** The host of an address such as `https://h/p`, `user@h:p`, `h:80` or `[::1]:80`; `undefined` if it isn't one. */
export function hostOf(text: string): string | undefined {
  const [, afterScheme] = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/(.*)$/s.exec(text) ?? []
  const authority = afterScheme === undefined ? text : (afterScheme.split(/[/?#\\]/)[0] ?? '')
  const place = authority.slice(authority.lastIndexOf('@') + 1)
  const [, bracketed] = /^\[([0-9A-Fa-f:.%]+)\]/.exec(place) ?? []
  const host = bracketed ?? (/^(?=[^.]*::)[0-9A-Fa-f:.]*$/.test(place) ? place : (place.split(/[:/]/)[0] ?? ''))
  return /^[^\s/'"<>|;&()-][^\s/'"<>|;&()]*$/.test(host) ? host.toLowerCase() : undefined
}

const valued = {
  curl: 'AbcCdDeEFhHKmoPQrtTuUwxXyYz',
  wget: 'aeoOtTUBiPQwlADIRX',
  ssh: 'BbcDEeFIiJLlmOopQRSWw',
  scp: 'cDFiJloPSX',
  rsync: 'efMTBC',
  nc: 'eGgiIMmOPpqsTVWwXx',
  ping: 'cGgiIlMmnpQsStTwW',
  dig: 'bcfkpqty',
  host: 'cNRtW',
}

type Kind = keyof typeof valued | 'telnet' | 'dns' | 'any'

const programs = new Map<string, Kind>([
  ['curl', 'curl'],
  ['wget', 'wget'],
  ['wget2', 'wget'],
  ['aria2c', 'wget'],
  ['ssh', 'ssh'],
  ['autossh', 'ssh'],
  ['mosh', 'ssh'],
  ['sftp', 'scp'],
  ['scp', 'scp'],
  ['rsync', 'rsync'],
  ['nc', 'nc'],
  ['ncat', 'nc'],
  ['netcat', 'nc'],
  ['ping', 'ping'],
  ['ping6', 'ping'],
  ['traceroute', 'ping'],
  ['tracepath', 'ping'],
  ['mtr', 'ping'],
  ['nmap', 'ping'],
  ['dig', 'dig'],
  ['delv', 'dig'],
  ['host', 'host'],
  ['nslookup', 'dns'],
  ['whois', 'host'],
  ['telnet', 'telnet'],
  ['ftp', 'telnet'],
  ['lftp', 'telnet'],
  ['tftp', 'telnet'],
  ['http', 'any'],
  ['https', 'any'],
  ['httpie', 'any'],
  ['xh', 'any'],
  ['websocat', 'any'],
  ['lynx', 'any'],
  ['w3m', 'any'],
  ['links', 'any'],
  ['git', 'any'],
  ['pip', 'any'],
  ['pip3', 'any'],
  ['npm', 'any'],
  ['npx', 'any'],
  ['pnpm', 'any'],
  ['yarn', 'any'],
  ['docker', 'any'],
  ['openssl', 'any'],
  ['socat', 'any'],
  ['go', 'any'],
  ['cargo', 'any'],
  ['uv', 'any'],
  ['pipx', 'any'],
])

const optionsWithAddress = new Set(
  '--index-url --extra-index-url -i --url -x --proxy --proxy1.0 --preproxy --socks4 --socks4a --socks5 --socks5-hostname --resolve --connect-to --registry -connect --doh-url --trusted-host -f --find-links --referer -L -R -D -W -J --proxy-server -e'.split(
    ' ',
  ),
)

const operandsOf = (words: ShellWord[], letters: string): ShellWord[] => {
  const operands: ShellWord[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]
    const value = word?.value
    if (!word) continue
    if (value === undefined || !value.startsWith('-') || value === '-') operands.push(word)
    else if (/^-[A-Za-z0-9]+$/.test(value)) {
      const takes = [...value.slice(1)].findIndex((letter) => letters.includes(letter))
      if (takes >= 0 && takes === value.length - 2) at++
    }
  }
  return operands
}

const isAddress = (text: string): boolean => /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(text)
const isRemotePath = (text: string): boolean => /^(?:[^\s/:@]+@)?(?:\[[0-9A-Fa-f:]+\]|[^\s/:@]+):/.test(text)

function ofOperand(kind: Kind, text: string, at: number): string | undefined {
  if (isAddress(text)) return text.startsWith('file:') ? undefined : hostOf(text)
  if (kind === 'scp' || kind === 'rsync') {
    return isRemotePath(text) || (kind === 'scp' && text.includes('@')) ? hostOf(text) : undefined
  }
  if (kind === 'dig')
    return text.startsWith('@') ? hostOf(text.slice(1)) : text.includes('.') ? hostOf(text) : undefined
  if (kind === 'ssh' || kind === 'nc' || kind === 'telnet') return at === 0 ? hostOf(text) : undefined
  return kind === 'any' ? undefined : hostOf(text)
}

const ofOption = (text: string): string[] => {
  const places = text.split(',').map((place) => place.replace(/^\d+:(?=[^\d:])/, ''))
  return places.flatMap((place) => (isAddress(place) || /[.:]/.test(place) ? (hostOf(place) ?? []) : []))
}

/** The hosts among the arguments of a program that uses the network; computed ones are left out. */
export function hostsOf(program: string, words: ShellWord[]): string[] {
  const kind = programs.get(program)
  const hosts: (string | undefined)[] = []
  if (!kind) {
    for (const { value } of words)
      if (value && /^(?:https?|ftp|wss?|ssh|git):\/\//.test(value)) hosts.push(hostOf(value))
    return found(hosts)
  }
  words.forEach(({ value }, at) => {
    const [, name = '', glued] = /^(--[a-z0-9-]+)=(.*)$/s.exec(value ?? '') ?? []
    if (glued !== undefined && (optionsWithAddress.has(name) || isAddress(glued))) hosts.push(...ofOption(glued))
    const after = words[at + 1]?.value
    if (value && after && optionsWithAddress.has(value) && (kind !== 'ssh' || value !== '-i')) {
      if (isAddress(after) || value !== '-i') hosts.push(...ofOption(after))
    }
  })
  const letters = kind in valued ? valued[kind as keyof typeof valued] : ''
  operandsOf(words, letters).forEach(({ value }, at) => {
    if (value) hosts.push(ofOperand(kind, value, at))
  })
  if (program === 'git')
    hosts.push(...words.flatMap(({ value }) => (value && /^[^\s/:@]+@[^\s/:@]+:/.test(value) ? hostOf(value) : [])))
  if (kind === 'any') hosts.push(...words.flatMap(({ value }) => ofGlued(value ?? '')))
  return found(hosts)
}

// pip install git+https://h/x, socat TCP:h:80
const ofGlued = (text: string): (string | undefined)[] => {
  const [, address] = /^[a-z]+\+([a-z]+:\/\/.*)$/s.exec(text) ?? []
  const [, place] = /^(?:TCP|TCP4|TCP6|UDP|UDP4|OPENSSL|SSL|PROXY|SOCKS4|SOCKS4A)[A-Z0-9-]*:([^,]*)/i.exec(text) ?? []
  return [address && hostOf(address), place && !/listen/i.test(text) ? hostOf(place) : undefined]
}

const found = (hosts: (string | undefined)[]): string[] => [
  ...new Set(hosts.filter((host): host is string => host !== undefined && host !== '')),
]
