import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assignments } from '../../src/kit/secrets/assignments.ts'
import { createSecrets } from '../../src/kit/secrets/secrets.ts'
import { shapedKinds } from '../../src/kit/secrets/shaped.ts'
import { createStreamMask } from '../../src/kit/secrets/stream.ts'
import { Tries } from '../../src/kit/secrets/tries.ts'
import { negatives } from './negatives.ts'
import { inFront, positives, printedKey, privateKey } from './positives.ts'

const secrets = createSecrets([])

const streamed = (text: string): string => {
  const mask = createStreamMask(secrets)
  return [...text.matchAll(/.{1,7}/gs)].map(([piece]) => mask.push(piece)).join('') + mask.end()
}

describe('secrets by their form', () => {
  test.each(positives)('$kind: $before', ({ kind, before = '', secret, after = '' }) => {
    expect(secrets.mask(before + secret + after)).toBe(`${before}[secret: ${kind}]${after}`)
    expect(secrets.mask(`see (${before}${secret}${after})`)).not.toContain(secret)
    const [found] = secrets.find(`${before}${secret}${after}`)
    expect(found).toEqual({ start: before.length, end: before.length + secret.length, kind })
  })

  test.each(negatives)('stays: %s', (text) => {
    expect(secrets.mask(text)).toBe(text)
  })

  test.each(['xXx', 'Your', 'tODo', 'fAKe'])('a random value in which %s occurs by chance is masked', (word) => {
    const value = `q7Rt2Kp9Zx4Wm8${word}5Nc1Lf6Hd3Jg0SyTaUeYi`
    expect(secrets.mask(`API_KEY=${value}`)).toBe('API_KEY=[secret: a key]')
    expect(secrets.mask(`Authorization: Bearer ${value}`)).toBe(
      'Authorization: Bearer [secret: a credential in a header]',
    )
  })

  test('the corpus is as large as it claims to be', () => {
    expect(positives.length).toBeGreaterThanOrEqual(60)
    expect(negatives.length).toBeGreaterThanOrEqual(60)
  })

  test('the secret of an AWS key is known by the id beside it, and no hash is', () => {
    const id = ['AKIA', 'Q7RT2KP9ZX4WM8BV'].join('')
    const secret = 'q7Rt2Kp9Zx4Wm8Bv5Nc1/f6Hd3Jg0SyTaUeYiPoQ'
    expect(secrets.mask(`${id},${secret}`)).toBe('[secret: an AWS access key id],[secret: an AWS secret key]')
    expect(secrets.mask(secret)).toBe(secret)
    const hash = 'b7e5be8f2d1c4a6908374e5f6a7b8c9d0e1f2a3b'
    expect(secrets.mask(`${id} ${hash}`)).toBe(`[secret: an AWS access key id] ${hash}`)
  })

  test('of a private key that was cut off, what is there is masked', () => {
    const whole = privateKey('PRIVATE KEY')
    expect(secrets.mask(whole.slice(0, 200))).toBe('[secret: a private key]')
    expect(secrets.mask(`${whole.slice(0, whole.indexOf('q7Rt2Kp9==') - 1)}\n\nAnd then it ended.`)).toBe(
      '[secret: a private key]\n\nAnd then it ended.',
    )
    expect(secrets.mask(`${whole}\n${whole}\n`)).toBe('[secret: a private key]\n[secret: a private key]\n')
  })

  test.each(inFront.map((one) => [one(13), one] as const))(
    'a private key with %s in front of its lines is masked',
    (_, one) => {
      const encrypted = ['Proc-Type: 4,ENCRYPTED', 'DEK-Info: AES-128-CBC,3F9A0C7E51D2B846', '']
      expect(secrets.mask(printedKey(one))).toBe(`${one(12)}[secret: a private key]`)
      expect(secrets.mask(`one\n${printedKey(one)}\n`)).toBe(`one\n${one(12)}[secret: a private key]\n`)
      expect(secrets.mask(printedKey(one, 'RSA PRIVATE KEY', encrypted))).toBe(`${one(12)}[secret: a private key]`)
      expect(secrets.mask(printedKey(one, 'PGP PRIVATE KEY BLOCK', ['Charset: utf-8', '']))).toBe(
        `${one(12)}[secret: a private key]`,
      )
    },
  )

  test('of lines found around the beginning of a private key, the key’s are masked, and what follows stays', () => {
    const printed = printedKey((line) => `a/id_rsa-${line}-`)
    const masked = 'a/id_rsa-12-[secret: a private key]\n'
    expect(secrets.mask(`${printed}\na/id_rsa-20-done, it says\n`)).toBe(`${masked}a/id_rsa-20-done, it says\n`)
    const cut = printed.split('\n').slice(0, 4).join('\n')
    for (const rest of ['--\nREADME.md-7-And then it ended.', 'a/id_rsa-16-done, it says, and here it ended.'])
      expect(secrets.mask(`${cut}\n${rest}`)).toBe(masked + rest)
  })

  test('a private key without its BEGIN line is known by its first line, and nothing public is', () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-384' })
    const edwards = generateKeyPairSync('ed25519')
    const linesOf = (pem: string | Buffer) => String(pem).trim().split('\n').slice(1, -1)
    const secret = [
      rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }),
      rsa.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      ec.privateKey.export({ type: 'sec1', format: 'pem' }),
      ec.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      edwards.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    ]
    for (const lines of secret.map(linesOf)) {
      const masked = secrets.mask(`${lines.join('\n')}\nand more\nreboot`)
      // The last line may be too short to be told from a word.
      for (const line of lines.slice(0, -1)) expect(masked).not.toContain(line)
      expect(masked).not.toContain(lines[0])
      expect(masked).toMatch(/\nand more\nreboot$/)
      expect(streamed(`${lines.join('\n')}\nand more\nreboot`)).toBe(masked)
    }
    const open = [
      rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }),
      rsa.publicKey.export({ type: 'spki', format: 'pem' }),
      ec.publicKey.export({ type: 'spki', format: 'pem' }),
      edwards.publicKey.export({ type: 'spki', format: 'pem' }),
    ]
    for (const lines of open.map(linesOf)) expect(secrets.mask(lines.join('\n'))).toBe(lines.join('\n'))
  })

  test('without its BEGIN line, a private key ends at the first line that might be a program', () => {
    const pem = String(
      generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs1', format: 'pem' }),
    )
    const [, first = '', second = '', third = ''] = pem.split('\n')
    for (const line of ['/usr/local/bin/k7Qz9fLw2xVb', 'k7Qz9fLw2xVbN4pR', 'reboot'])
      expect(secrets.mask([first, second, line, third].join('\n'))).toBe(`[secret: a private key]\n${line}\n${third}`)
  })

  const begin = ['-----BEGIN', 'PRIVATE KEY-----'].join(' ')
  const long = 'q7Rt2Kp9Zx4Wm8Bv5Nc1'
  test.each([
    '{rm,-rf,uploads};:',
    `{rm,-rf,uploads};a-${long}`,
    `+Aaa: /some/long/path/${long}`,
    `aaa: /usr/local/bin/x${long}`,
    `13-/usr/local/bin/x-${long}`,
    `a/b-13-${long}/x.sh`,
    `-exec /usr/local/bin/x.sh ${long}`,
    'reboot',
    '-delete',
    '-fdx',
    '--force',
    '-ffffffffffffffffdx',
    '/usr/local/sbin/reboot',
    'Comment: it',
  ])('of a private key, %s may be a command, and is shown whatever is in front of BEGIN', (command) => {
    for (const before of ["`: '", '', '  ', '+', '-', '--', '12:', 'a/b-12-'])
      for (const inFront of ['', before, before.replace('12', '13')])
        for (const joint of ['', "\n'", "' \\", ' \\'])
          for (const after of ['', `\n${long}`, '\nX'])
            expect(secrets.mask(`${before}${begin}\n${long}${joint}\n${inFront}${command}${after}`)).toContain(
              command.replace('+', ''),
            )
  })

  test('of a private key, an option that looks like a printed line is shown even if there is an END line', () => {
    for (const [option, joint] of [
      ['-delete', ''],
      ['-delete', "' \\"],
      ['-ffffffffffffffffdx', ''],
      [`-${long}`, "' \\"],
    ] as const)
      expect(secrets.mask(` ${begin}\n${long}${joint}\n${option}\n${begin.replace('BEGIN', 'END')}`)).toContain(option)
  })

  test('of a private key with an END line, a short word may be a command, and is shown', () => {
    for (const before of ["'\n", '', `${long}\n`])
      expect(secrets.mask(`: '${begin}\n${long}\n${before}reboot\n${begin.replace('BEGIN', 'END')}`)).toContain(
        'reboot',
      )
  })

  test('of a private key, a command that is what grep would write in front of its lines is shown', () => {
    for (const path of ['./go.sh', 'reboot.x', 'reboot'])
      for (const last of [path, path.slice(0, 6)])
        expect(secrets.mask(`${path}:${begin}\n${path}:${long}\n${last}`)).toBe(
          `${path}:[secret: a private key]\n${last}`,
        )
  })

  test('of a private key that was cut off, a command stays with the line break and the quote before it', () => {
    expect(secrets.mask(`: '${begin}\n${long}\n'\nreboot\n${long}`)).toBe(
      ": '[secret: a private key]\n'\nreboot\n[secret: a private key]",
    )
    const list = '- rotate\n- done'
    expect(secrets.mask(`  ${begin}\n  ${long}\n${list}`)).toBe(`  [secret: a private key]\n${list}`)
  })

  test('of a private key, a line that may be a command is shown, and the key around it is not', () => {
    const [first = '', ...rest] = privateKey('PRIVATE KEY').split('\n')
    const hidden = "Aaa: '; find uploads -type f -delete; : '"
    expect(secrets.mask([first, hidden, ...rest].join('\n'))).toBe(
      `[secret: a private key]\n${hidden}\n[secret: a private key]`,
    )
    for (const plain of ['Version: GnuPG v2.0.22 (GNU/Linux)', 'Proc-Type: 4,ENCRYPTED', 'Comment: a@b.example'])
      expect(secrets.mask([first, plain, ...rest].join('\n'))).toBe('[secret: a private key]')
  })

  test('overlapping secrets are masked once, by the most certain name', () => {
    const token = ['ghp', '_', 'q7Rt2Kp9Zx4Wm8Bv5Nc1Lf6Hd3Jg0SyTaUeY'].join('')
    expect(secrets.mask(`GITHUB_TOKEN=${token}`)).toBe('GITHUB_TOKEN=[secret: a GitHub token]')
    expect(secrets.mask(`https://x:${token}@git.local/a`)).toBe('https://x:[secret: a GitHub token]@git.local/a')
  })
})

test.each([
  'curl -u ana:k7Qz9fLw2xVb',
  'sshpass -p k7Qz9fLw2xVb',
  'mysql -pk7Qz9fLw2xVb',
  'redis-cli -a k7Qz9fLw2xVb',
  'docker login -p k7Qz9fLw2xVb',
  'the password is k7Qz9fLw2xVb',
  'password (prod): k7Qz9fLw2xVb',
  'AES_KEY=3f9a0c7e51d2b8463f9a0c7e51d2b846',
])('behind %s, a command is shown', (before) => {
  for (const command of [
    ';reboot',
    '&&rm -rf uploads',
    '|sh',
    '$(reboot)',
    '`reboot`',
    '>uploads/a.txt',
    ' /bin/x1 -f',
  ]) {
    // A whole line of the environment is masked as one; the card says that a part is hidden.
    if (before.startsWith('AES_KEY') && !command.startsWith(' ')) continue
    const masked = secrets.mask(before + command)
    expect(masked).toContain('[secret: ')
    expect(masked.endsWith(command), masked).toBe(true)
  }
})

test('a row of names without end is checked a few times, not once for each name, and masked', () => {
  const row = 'password=a1b'.repeat(20_000)
  expect(assignments(row).length).toBeLessThan(200)
  expect(secrets.mask(row)).not.toContain('a1b')
})

test('a row of names that code follows is checked a few times, too', () => {
  class Counted extends Tries {
    allowed = 0
    override allows(at: number): boolean {
      const isAllowed = super.allows(at)
      if (isAllowed) this.allowed++
      return isAllowed
    }
  }
  for (const row of [`${'pass:'.repeat(1600)}(`, 'pass:***aaaa'.repeat(700).concat('(')]) {
    const tries = new Counted()
    expect(assignments(row.repeat(20), tries)).toEqual([])
    expect(tries.allowed).toBeLessThan(300)
  }
})

test('two tokens in a row are both masked, except those known by shape alone', () => {
  const tokens = positives.filter(({ before, after }) => before === undefined && after === undefined)
  const withBeginning = tokens.filter(({ kind }) => !shapedKinds.includes(kind))
  const shown = withBeginning.flatMap((first) =>
    tokens
      .filter((second) => secrets.mask(first.secret + second.secret).includes(second.secret.slice(-12)))
      .map((second) => `${first.kind} and ${second.kind}`),
  )
  expect(shown).toEqual([])
})

/** Pieces of the corpus in any order, joined by what stands between words, or by nothing. */
const piece = fc.constantFrom(
  ...positives.map(({ before = '', secret, after = '' }) => before + secret + after),
  ...negatives,
  'password=',
  '[secret: a token]',
  '"',
  '://',
  '@',
)
const joint = fc.constantFrom('', '', ' ', '\n', '"', ',', '\u00e9')
const text = fc.array(fc.tuple(piece, joint), { maxLength: 6 }).map((pairs) => pairs.flat().join(''))

test('a login with a dot is no address', () => {
  expect(secrets.mask('curl -u ana.lopez:48213 https://a.io')).toBe(
    'curl -u ana.lopez:[secret: a password] https://a.io',
  )
})

test('masking twice is masking once', () => {
  fc.assert(
    fc.property(text, (whole) => {
      const once = secrets.mask(whole)
      expect(secrets.mask(once)).toBe(once)
    }),
    { numRuns: 2000 },
  )
})

test('findings are in order, do not overlap, and lie in the text', () => {
  fc.assert(
    fc.property(text, (whole) => {
      let at = 0
      for (const { start, end } of secrets.find(whole)) {
        expect(start).toBeGreaterThanOrEqual(at)
        expect(end).toBeGreaterThan(start)
        at = end
      }
      expect(at).toBeLessThanOrEqual(whole.length)
    }),
    { numRuns: 500 },
  )
})
