// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell, YAML and templates write their variables like this.
import { negatives } from '../negatives.ts'
import { type Draw, draws } from './draw.ts'

/** A family of texts that hold no secret: each call draws another one. */
type Family = (draw: Draw) => string

const encoded = (value: unknown, form: 'base64' | 'base64url' = 'base64'): string =>
  Buffer.from(JSON.stringify(value)).toString(form)

const pageNames = [
  'nextPageToken',
  'next_page_token',
  'NextToken',
  'nextToken',
  'pageToken',
  'page_token',
  'continuationToken',
  'continuation_token',
  'NextContinuationToken',
  'syncToken',
  'nextSyncToken',
  'next_cursor',
  'cursor',
  'endCursor',
  'startToken',
  'resumeToken',
  'resume_token',
  'previous_page_token',
  'scroll_token',
  'paginationToken',
  'pagination_token',
  'x-ms-continuation-token',
  'changeToken',
  'delta_token',
  'deltaToken',
  'skipToken',
  '$skiptoken',
]
const csrfNames = [
  'csrf_token',
  'csrfToken',
  'csrftoken',
  'X-CSRF-Token',
  'x-csrf-token',
  'XSRF-TOKEN',
  'X-XSRF-TOKEN',
  'authenticity_token',
  'csrfmiddlewaretoken',
  '__RequestVerificationToken',
  '_csrf_token',
  'anti_forgery_token',
  'antiForgeryToken',
]
const idNames = [
  'requestToken',
  'clientRequestToken',
  'idempotency_token',
  'idempotencyToken',
  'cancellationToken',
  'lock_token',
  'fencing_token',
  'token_id',
  'tokenId',
  'secret_id',
  'secretId',
  'credential_id',
  'access_key_id_hash',
  'token_hash',
  'passwordHash',
  'token_digest',
  'secretVersion',
  'token_fingerprint',
  'secret_arn',
  'nonce',
  'etag',
  'x-request-id',
  'X-Amzn-Trace-Id',
  'requestId',
  'correlation_id',
  'traceparent',
  'state',
  'code_challenge',
]

const opaque: Family = (draw) =>
  draw.of([
    () => draw.base64url(12 + draw.below(60)),
    () => `${draw.base64(22 + draw.below(50))}==`,
    () => draw.hex(16 + draw.below(48)),
    () => draw.uuid(),
    () => encoded({ offset: draw.below(9999), id: `${draw.digits(9)}` }),
    () => encoded({ last: [draw.digits(6), draw.uuid()] }, 'base64url'),
  ])()

const assigned = (draw: Draw, name: string, value: string): string =>
  draw.of([
    () => `"${name}": "${value}"`,
    () => `{"items": [1, 2], "${name}":"${value}"}`,
    () => `${name}=${value}`,
    () => `${name}: ${value}`,
    () => `GET /v1/items?limit=50&${name}=${value} HTTP/1.1`,
    () => `https://api.example.org/v1/items?${name}=${value}`,
    () => `  ${name}: '${value}',`,
    () => `${name} = "${value}"`,
    () => `curl -s 'https://host.test/list?${name}=${value}&size=10'`,
    () => `{\\"${name}\\":\\"${value}\\"}`,
    () => `2026-11-02T10:11:12Z INFO list done ${name}=${value} took=12ms`,
  ])()

const words = [
  'apple',
  'river',
  'stone',
  'market',
  'cloud',
  'paper',
  'garden',
  'silver',
  'window',
  'orange',
  'basket',
  'ladder',
]
const name = (draw: Draw): string => draw.of(words)

const families: Record<string, Family> = {
  'pages and cursors': (draw) => assigned(draw, draw.of(pageNames), opaque(draw)),
  'forged requests': (draw) =>
    draw.of([
      () => assigned(draw, draw.of(csrfNames), opaque(draw)),
      () => `<input type="hidden" name="${draw.of(csrfNames)}" value="${draw.base64url(43)}">`,
      () => `<meta name="csrf-token" content="${draw.base64(64)}==">`,
      () => `Set-Cookie: XSRF-TOKEN=${draw.base64url(40)}; Path=/; SameSite=Lax`,
      () => `the CSRF token: ${draw.hex(32)}`,
      () => `the next page token is: ${draw.base64url(32)}`,
    ])(),
  'ids of requests': (draw) =>
    draw.of([
      () => assigned(draw, draw.of(idNames), opaque(draw)),
      () => assigned(draw, draw.of(['client_token', 'ClientToken']), draw.uuid()),
      () => `Authorization: AWS4-HMAC-SHA256 Credential=<id>/2026${draw.digits(4)}/eu-west-1/s3/aws4_request`,
      () => `token: 2026-0${1 + draw.below(8)}-1${draw.digits(1)}T10:${10 + draw.below(49)}:00Z`,
      () => `credential: ana.${draw.digits(3)}@example.org`,
    ])(),
  'UUIDs and hashes': (draw) =>
    draw.of([
      () => `commit ${draw.hex(40)}\nAuthor: Ana`,
      () => `id ${draw.uuid()} of ${name(draw)}`,
      () => `"integrity": "sha512-${draw.base64(86)}=="`,
      () => `<script src="a.js" integrity="sha384-${draw.base64(64)}"></script>`,
      () => `ETag: W/"${draw.hex(40)}"`,
      () => `sha256:${draw.hex(64)}  ${name(draw)}.tar.gz`,
      () => `image: registry.test/${name(draw)}@sha256:${draw.hex(64)}`,
      () => `${draw.hex(32)}  ${name(draw)}.iso`,
      () => `index ${draw.hex(7)}..${draw.hex(7)} 100644`,
      () => `ssh-rsa AAAAB3NzaC1yc2E${draw.base64(340)} ana@host`,
      () => `SHA256:${draw.base64(43)} ana@host (ED25519)`,
      () => `Content-Security-Policy: script-src 'nonce-${draw.base64(22)}=='`,
      () => `traceparent: 00-${draw.hex(32)}-${draw.hex(16)}-01`,
      () => `Sec-WebSocket-Key: ${draw.base64(22)}==\r\nSec-WebSocket-Accept: ${draw.base64(27)}=`,
      () => `boundary=----WebKitFormBoundary${draw.letters(16)}`,
      () => `checksum: ${draw.hex(64)}`,
      () => `go.sum: github.com/${name(draw)}/${name(draw)} v1.2.3 h1:${draw.base64(43)}=`,
    ])(),
  'data in Base64': (draw) =>
    draw.of([
      () => `data:image/png;base64,iVBORw0KGgo${draw.base64(200)}=`,
      () => `url(data:font/woff2;base64,d09GMgABAAAA${draw.base64(180)})`,
      () => `<img src="data:image/gif;base64,R0lGODlh${draw.base64(90)}">`,
      () => `-----BEGIN CERTIFICATE-----\n${draw.base64(64)}\n${draw.base64(64)}\n-----END CERTIFICATE-----`,
      () => `-----BEGIN PUBLIC KEY-----\n${draw.base64(64)}\n${draw.base64(20)}==\n-----END PUBLIC KEY-----`,
      () => `//# sourceMappingURL=data:application/json;base64,${encoded({ version: 3, names: words })}`,
    ])(),
  'addresses with stand-ins': (draw) =>
    draw.of([
      () => `ftp://anonymous:guest@ftp.${name(draw)}.org/pub/`,
      () => `ftp://anonymous:${name(draw)}@example.com@mirror.test/`,
      () => `ftp://ftp:ana@example.org@ftp.${name(draw)}.org/`,
      () =>
        `${draw.of(['postgres', 'mysql', 'mongodb', 'redis', 'amqp', 'https'])}://${draw.of([
          'user:pass',
          'user:password',
          'username:password',
          'USER:PASSWORD',
          'user:PASSWORD',
          'myuser:mypassword',
          'postgres:postgres',
          'root:root',
          'guest:guest',
          'admin:admin',
          'test:test',
          'foo:barbaz',
          'dbuser:dbpassword',
          'user:secret',
          'user:changeme',
          'user:your_password',
          'user:<password>',
          'user:${PASSWORD}',
          'user:$DB_PASS',
          'user:{password}',
          'user:{{password}}',
          'user:%s',
          'user:****',
          'user:xxxxxx',
          'user:[REDACTED]',
          'minio:minio',
          'some_user:some_password',
          'user:example',
          'elastic:changeme',
        ])}@${draw.of(['localhost', 'db.example.com', 'db', '127.0.0.1'])}:5432/app`,
      () => `see https://${name(draw)}.test:8443/@ana/${draw.digits(6)} and https://${name(draw)}.test/a:b@c`,
      () => `git clone ssh://git@git.${name(draw)}.org:2222/ana/token-tools.git`,
    ])(),
  documentation: (draw) =>
    draw.of([
      () => `password=<your password>`,
      () => `PASSWORD=your-${name(draw)}-password-here`,
      () => `export API_KEY="<YOUR_API_KEY>"`,
      () => `export ${name(draw).toUpperCase()}_API_KEY=your_api_key_here`,
      () => `export ${name(draw).toUpperCase()}_TOKEN=replace-me-${draw.digits(2)}`,
      () => `curl -H "Authorization: Bearer $${name(draw).toUpperCase()}_TOKEN" https://api.test/${draw.digits(3)}`,
      () => `curl -H "Authorization: Bearer <access-token-${draw.digits(1)}>"`,
      () => `Authorization: Bearer {{${name(draw)}_token_1}}`,
      () => `-u username:password https://${name(draw)}.test`,
      () => `The password must have ${8 + draw.below(9)} characters, one of them a digit.`,
      () => `Set "password": "********" for ${name(draw)}.`,
      () => `token: (required) the ${name(draw)} token, see section ${draw.below(9)}.${draw.below(9)}`,
      () => `--token TOKEN${draw.below(9)}  the token of the ${name(draw)}`,
      () => `secret: "<base64-encoded-secret-${draw.digits(1)}>"`,
      () => `API_KEY=sk-xxxxxxxxxxxxxxxxxxxxxxxx`,
      () => `OPENAI_API_KEY=sk-... # ${name(draw)}`,
      () => `aws_access_key_id = AKIA${'IOSFODNN7EXAMPLE'} # ${draw.digits(3)}`,
      () => `aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY`,
      () => `Passwort: siehe Tresor, Fach ${draw.digits(2)}`,
      () => `password = "changeme${draw.digits(2)}"`,
      () => `client_secret=YOUR_CLIENT_SECRET_${draw.digits(1)}`,
      () => `api_key: 1234567890abcdef`,
      () => `api_key=abcdef1234567890`,
      () => `SECRET_KEY=django-insecure-change-me-${draw.digits(3)}`,
    ])(),
  'templates of environments': (draw) => {
    const upper = name(draw).toUpperCase()
    return draw.of([
      () => `${upper}_SECRET=\${${upper}_SECRET:-default}\n${upper}_PORT=80${draw.digits(2)}`,
      () => `${upper}_TOKEN=$(cat /run/secrets/${name(draw)}_token_${draw.digits(1)})`,
      () => `${upper}_PASSWORD_FILE=/run/secrets/${name(draw)}_${draw.digits(2)}`,
      () => `password: {{ .Values.${name(draw)}.password${draw.digits(1)} }}`,
      () => `token: \${{ secrets.${upper}_TOKEN_${draw.digits(1)} }}`,
      () => `secret: vault:secret/data/${name(draw)}#key${draw.digits(1)}`,
      () => `secretKeyRef:\n  name: ${name(draw)}-secret-v${draw.digits(1)}\n  key: password`,
      () => `secret: projects/${name(draw)}/secrets/db-${draw.digits(2)}/versions/3`,
      () =>
        `"secretArn": "arn:aws:secretsmanager:eu-west-1:${draw.digits(12)}:secret:${name(draw)}-${draw.letters(6)}"`,
      () => `secret: arn:aws:secretsmanager:eu-west-1:${draw.digits(12)}:secret:prod/${name(draw)}-${draw.letters(6)}`,
      () => `api_key: !vault |`,
      () => `password: op://vault/${name(draw)}${draw.digits(2)}/password`,
      () => `token: env.${upper}_TOKEN_${draw.digits(1)}`,
      () => `${upper}_API_KEY=\n${upper}_URL=https://${name(draw)}.test/v${draw.digits(1)}`,
      () => `SECRET=arn:aws:ssm:eu-west-1:${draw.digits(12)}:parameter/${name(draw)}/db${draw.digits(1)}`,
    ])()
  },
  programs: (draw) => {
    const word = name(draw)
    const title = word[0]?.toUpperCase() + word.slice(1)
    return draw.of([
      () =>
        `interface ${title} { token: string; secret?: Uint8Array${draw.below(9)}; apiKey: ApiKeyV${draw.digits(1)} }`,
      () => `const token = await get${title}Token${draw.digits(1)}(user, { secret })`,
      () => `const password = process.env.${word.toUpperCase()}_DB${draw.digits(1)}_PASSWORD ?? ''`,
      () => `password = os.environ["${word.toUpperCase()}_PASS_${draw.digits(1)}"]`,
      () => `apiKey: config.${word}2.apiKey,`,
      () => `token = self.${word}_v${draw.digits(1)}.token`,
      () => `if (token.type === TokenType.Number${draw.below(9)}) return parse${title}2(token)`,
      () => `expect(token).toBe('token-${word}-${draw.digits(1)}')`,
      () => `secret := os.Getenv("${word.toUpperCase()}_SECRET${draw.digits(1)}")`,
      () => `let token: Token<${title}${draw.digits(1)}> = lexer.next_token()?;`,
      () => `public string Password { get; set; } // ${word}${draw.digits(2)}`,
      () => `private static final String TOKEN_NAME = "x-${word}-token-v${draw.digits(1)}";`,
      () => `val token: String = request.headers("${word}-Token-V${draw.digits(1)}")`,
      () => `token: ethers.utils.getAddress(${word}${draw.digits(1)}),`,
      () => `"token": "0x${draw.hex(40)}", "symbol": "${word.toUpperCase()}"`,
      () => `{ "tokenAddress": "0x${draw.hex(40)}", "decimals": 18 }`,
      () => `token=Token.Keyword.Type${draw.digits(1)}`,
      () => `password_field = browser.find("input#password${draw.digits(1)}")`,
      () => `passwordRegex: /^(?=.*[a-z])(?=.*\\d).{8,${draw.digits(2)}}$/,`,
      () => `e.token=t.tk${draw.digits(1)},e.secret=n(${draw.digits(3)}).Z,r.password=a.p2`,
      () => `!function(e,t){e.apiKey=t.k${draw.digits(1)};var n="${draw.hex(20)}";e.exports=n}(this)`,
      () => `.a-${draw.hex(6)}{color:#${draw.hex(6)}}.sk-${word}-${draw.digits(2)}{margin:0 ${draw.digits(1)}px}`,
      () => `main.${draw.hex(20)}.chunk.js:2 token.${draw.hex(8)}.css`,
      () => `accessKey="${draw.of(['s', 'ctrl+shift+5', 'alt+f10'])}"`,
      () => `"private_key_id": "${draw.hex(40)}", "auth_uri": "https://auth.test/o/oauth2"`,
      () => `public_key: ${draw.base64(43)}=`,
      () => `"kid": "${draw.base64url(22)}", "kty": "RSA", "n": "${draw.base64url(120)}"`,
    ])()
  },
  'lines of logs': (draw) =>
    draw.of([
      () =>
        `10.0.${draw.below(255)}.${draw.below(255)} - - "GET /static/${draw.hex(16)}.js HTTP/1.1" 200 ${draw.digits(4)}`,
      () => `[${draw.uuid()}] INFO password reset mail sent to user ${draw.digits(6)}`,
      () => `level=info msg="token expired" token_id=${draw.uuid()} user=${draw.digits(5)}`,
      () => `WARN invalid token: unexpected '}' at 12:${draw.digits(2)}`,
      () =>
        `sshd[${draw.digits(4)}]: Failed password for invalid user ${name(draw)}${draw.digits(1)} from 203.0.113.${draw.below(99)} port ${draw.digits(5)}`,
      () => `sshd: Accepted publickey for ana: ED25519 SHA256:${draw.base64(43)}`,
      () => `tokens: prompt=${draw.digits(4)} completion=${draw.digits(3)} total_tokens=${draw.digits(4)}`,
      () => `auth: user=${name(draw)} secret_version=${draw.digits(2)} rotated`,
      () => `x-amz-request-id: ${draw.letters(16).toUpperCase()} x-amz-id-2: ${draw.base64(75)}=`,
      () => `cf-ray: ${draw.hex(16)}-FRA`,
      () => `session ${draw.hex(8)} opened; passwd: ${draw.digits(2)} users, shadow: ok`,
      () => `tests: pass=${draw.digits(6)} fail=${draw.digits(1)} skip=${draw.digits(2)}`,
      () => `kernel: [${draw.digits(5)}.${draw.digits(6)}] pid ${draw.digits(5)} comm ${name(draw)}`,
    ])(),
  'heads of web tokens': (draw) => {
    const head = encoded(
      draw.of([{ alg: 'HS256', typ: 'JWT' }, { alg: 'RS256', typ: 'JWT', kid: draw.hex(12) }, { alg: 'ES256' }]),
      'base64url',
    )
    return draw.of([
      () => head,
      () => `A JWT begins like ${head} and goes on with its claims.`,
      () => `token: ${head}`,
      () => `"header": "${head}"`,
      () => `The token ${head}... was cut here (${draw.digits(2)})`,
      () => `access_token=${head}`,
    ])()
  },
  'words of screens': (draw) =>
    draw.of([
      () => `"login.password.label${draw.digits(1)}": "Password"`,
      () => `"errors.password.tooShort": "At least ${draw.digits(2)} characters"`,
      () => `password: "Passwort${draw.of(['', ' (mind. 8 Zeichen)', ' vergessen?'])}", token: "Zugangstoken"`,
      () => `token_placeholder: "ex: abc123-${name(draw)}"`,
      () => `"secret": "Geheimnis ${draw.digits(2)}", "apiKey": "API-Schlüssel"`,
      () => `mot de passe : au moins ${draw.digits(1)} caractères`,
      () => `contraseña: mínimo ${draw.digits(1)} caracteres`,
      () => `パスワード: ${draw.digits(1)}文字以上`,
      () => `密码：至少${draw.digits(1)}位`,
      () => `пароль: не менее ${draw.digits(1)} символов`,
      () => `token: "令牌${draw.digits(2)}"`,
      () => `password.reset.title=Reset your password (step ${draw.digits(1)})`,
    ])(),
  'code in ten languages': (draw) => {
    const word = name(draw)
    const title = word[0]?.toUpperCase() + word.slice(1)
    return draw.of([
      () =>
        `func (c *Client) ${title}Token(ctx context.Context) (string, error) { return c.token${draw.digits(1)}, nil }`,
      () => `if password := r.FormValue("password${draw.digits(1)}"); len(password) < ${draw.digits(2)} {`,
      () => `let password = SecretString::new(args.${word}_password${draw.digits(1)}.clone());`,
      () => `private final String passwordEncoderId = PasswordEncoderFactories.BCRYPT_V${draw.digits(1)};`,
      () => `@Value("\${${word}.password${draw.digits(1)}}") String password;`,
      () => `var password = builder.Configuration["${title}:Password${draw.digits(1)}"];`,
      () => `$password = $_POST['password${draw.digits(1)}'] ?? null;`,
      () => `password = Rails.application.credentials.${word}_v${draw.digits(1)}[:password]`,
      () => `val password: String by lazy { prefs.getString("${word}Password${draw.digits(1)}", null) }`,
      () => `let password = KeychainItem(service: "${word}.v${draw.digits(1)}").readPassword()`,
      () => `char *password = getpass_r("${title} v${draw.digits(1)}: ", buffer${draw.digits(2)});`,
      () => `password=$(pass show ${word}/db${draw.digits(1)} | head -n1)`,
      () => `SELECT password AS pw${draw.digits(1)}, token FROM ${word}_users_v${draw.digits(1)};`,
      () => `user, password, token = parse${title}V${draw.digits(1)}(line)\nhost4a, port2b, path3c = rest`,
      () => `password,token,secret=load('${word}${draw.digits(1)}')\na1b2c3,d4e5f6,g7h8i9=unpack()`,
      () => `const secretKey = use${title}Key${draw.digits(1)}(), adminKey = keyBy(users, 'id${draw.digits(2)}')`,
      () => `APP_KEY=${word}-frontend-v${draw.digits(2)}-${draw.digits(4)}`,
      () => `adminKey: '${word}.settings.admin.v${draw.digits(1)}',`,
      () => `sdk_key = "${word}_sdk_key_name_${draw.digits(1)}"`,
      () => `cookie = "${word}_theme=dark-mode-with-large-letters; lang=de"; path=/v${draw.digits(1)}`,
    ])()
  },
  'chats and documents': (draw) => {
    const word = name(draw)
    return draw.of([
      () => `the password is at least ${draw.digits(2)} characters long, e.g. three words`,
      () => `the password is base64-encoded and the token is sha256-hashed (v${draw.digits(1)})`,
      () => `my password is the same as on my_${word}_laptop${draw.digits(1)}, please reset it`,
      () => `password for ${word}${draw.digits(1)}: ask Ana or see 1Password`,
      () => `password (${word}): see ticket OPS-${draw.digits(4)}`,
      () => `the token is OAuth2-based; the api key is per-project, limit ${draw.digits(4)}/day`,
      () => `The token \`T_${word.toUpperCase()}_${draw.digits(2)}\` wasn't expected, password \`utf8mb4\` neither`,
      () => `api key for ${word}: ask in #ops-${draw.digits(2)}`,
      () => `Das Passwort ist abgelaufen, seit ${draw.digits(2)}.03.2026. Bitte neu setzen: https://${word}.test/reset`,
      () => `Das Passwort lautet wie immer: Stadt und Hausnummer ${draw.digits(2)}`,
      () => `Kennwort: mindestens ${draw.digits(2)} Zeichen; Passwort: siehe Wiki-Seite-${draw.digits(3)}`,
      () => `Das Kennwort ist Windows-Anmeldung-${draw.digits(1)}, nicht die PIN`,
      () => `密码是${draw.digits(1)}位数字，请在 ${word}.test/reset 重置`,
      () => `密码：请联系管理员（分机 ${draw.digits(4)}），口令: 见附件${draw.digits(1)}`,
      () => `你的密码已于 2026-0${1 + draw.below(8)}-1${draw.digits(1)} 更改，令牌为 ${draw.digits(2)} 天有效`,
      () => `パスワードは${draw.digits(2)}文字以上で、${word}と同じではいけません`,
      () => `mot de passe : voir la page ${draw.digits(2)} du guide`,
      () => `la contraseña es de ${draw.digits(2)} caracteres`,
      () => `| setting | password | token |\n|---|---|---|\n| minimum | ${draw.digits(2)} | ${draw.digits(4)} |`,
      () => `| password | required |\n| --- | --- |\n| at-least-${draw.digits(1)} | yes |`,
      () => `| token | pos | lemma |\n|---|---|---|\n| ${word}s | NOUN${draw.digits(1)} | ${word} |`,
      () => `| command | secret |\n|---|---|\n| get | ${word}-tls-cert-${draw.digits(4)} |`,
      () => `name,password policy,token count\n${word},strong-${draw.digits(2)},${draw.digits(4)}`,
      () => `user,password,last login\n${word},changed,2026-01-0${1 + draw.below(8)}`,
      () => `key,token,secret\n${word}.title,Token,Geheimnis${draw.digits(1)}`,
      () => `curl -u $USER:$PASS${draw.digits(1)} https://${word}.test && mysql -port${draw.digits(4)} -p ${word}`,
      () => `curl -s https://${word}.test/v${draw.digits(1)} -u ana:password`,
      () => `docker run -u 1000:1000 -p 80${draw.digits(2)}:80 ${word}; redis-cli -a $REDIS${draw.digits(1)}`,
      () => `ENV API_KEY \${${word.toUpperCase()}_KEY_${draw.digits(1)}}`,
      () => `ENV GPG_KEY E3FF2839C048B25C084DEBE9B26995E3102505${draw.digits(2)}`,
      () =>
        `- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef: { name: ${word}-db-${draw.digits(1)}, key: password }`,
      () => `<input type="password" name="password" value="" id="pw${draw.digits(2)}">`,
      () => `Cookie: consent=accepted-all-of-the-${draw.digits(2)}; session_lang=german-formal-address`,
    ])()
  },
  'tables and records': (draw) =>
    draw.of([
      () =>
        `id,name,token_count,created\n${draw.digits(4)},${name(draw)},${draw.digits(3)},2026-01-0${1 + draw.below(8)}`,
      () => `| user | password policy |\n| ${name(draw)} | strong-${draw.digits(2)} |`,
      () => `{"id":"${draw.hex(24)}","sku":"ABC-${draw.digits(6)}","name":"${name(draw)}"}`,
      () => `{"account_key":"ACC-2026-${draw.digits(5)}","status":"open"}`,
      () => `{"key":"${name(draw)}/${draw.digits(4)}/${draw.uuid()}.png","size":${draw.digits(5)}}`,
      () => `passport: C${draw.digits(2)}X${draw.digits(2)}T${draw.digits(2)}`,
      () => `pass ${draw.digits(2)}/${draw.digits(2)}, boarding pass: AB${draw.digits(4)}`,
      () => `tracking: 1Z${draw.letters(16).toUpperCase()}`,
      () => `IBAN DE${draw.digits(20)} BIC ${name(draw).toUpperCase()}DEFF`,
      () => `tokens_per_second: ${draw.digits(2)}.${draw.digits(1)}; max_tokens: ${draw.digits(4)}`,
      () => `sort_key: ${draw.digits(6)}-${name(draw)}; partition_key: user#${draw.digits(6)}`,
      () => `primary_key=${draw.digits(6)}, foreign_key=${name(draw)}_id_${draw.digits(1)}`,
      () =>
        `Ticket ${name(draw).toUpperCase()}-${draw.digits(4)}: the passcode screen (v${draw.digits(1)}.${draw.digits(1)})`,
      () => `token: "${name(draw)}", pos: "NOUN", lemma: "${name(draw)}"`,
      () => `{"token": "${name(draw)}", "logprob": -0.${draw.digits(6)}, "bytes": [104]}`,
      () => `youtube.com/watch?v=${draw.base64url(11)}&list=PL${draw.base64url(32)}`,
      () => `https://docs.test/d/${draw.base64url(44)}/edit#gid=0`,
    ])(),
}

export interface Benign {
  family: string
  text: string
}

/** Some hundred by hand, and `each` of every family. */
export function benignTexts(seed = 1, each = 110): Benign[] {
  const draw = draws(seed)
  const drawn = Object.entries(families).flatMap(([family, make]) =>
    Array.from({ length: each }, () => ({ family, text: make(draw) })),
  )
  return [...negatives.map((text) => ({ family: 'by hand', text })), ...drawn]
}
