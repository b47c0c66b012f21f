import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeText } from '../../src/kit/text/encoding.ts'

/** Texts encoded by other programs, in Base64. */
const known: [encoding: string, text: string, base64: string][] = [
  [
    'windows-1252',
    'Die Größe der Straße in Köln, übrigens für 5 €',
    'RGllIEdy9t9lIGRlciBTdHJh32UgaW4gS/Zsbiwg/GJyaWdlbnMgZvxyIDUggA==',
  ],
  ['windows-1252', 'Le café était fermé à cause de la grève', 'TGUgY2Fm6SDpdGFpdCBmZXJt6SDgIGNhdXNlIGRlIGxhIGdy6HZl'],
  ['windows-1252', 'Müller', 'TfxsbGVy'],
  ['windows-1250', 'Zażółć gęślą jaźń. Łódź, Kraków, Gdańsk', 'WmG/87PmIGfqnGy5IGphn/EuIKPzZJ8sIEtyYWvzdywgR2Rh8XNr'],
  ['windows-1251', 'Привет, мир! Это простой текст.', 'z/Do4uXyLCDs6PAhIN3y7iDv8O7x8u7pIPLl6vHyLg=='],
  ['windows-1251', 'Москва;100', 'zO7x6uLgOzEwMA=='],
  ['koi8-r', 'Привет, мир! Это простой текст на русском.', '8NLJ18XULCDNydIhIPzUzyDQ0s/T1M/KINTFy9PUIM7BINLV09PLz80u'],
  ['windows-1253', 'Καλημέρα κόσμε, αυτό είναι ένα κείμενο', 'yuHr5+zd8eEg6vzz7OUsIOH19Pwg5d/t4ekg3e3hIOrl3+zl7e8='],
  ['windows-1254', 'Türkçe İstanbul şehir çalışma güneş', 'VPxya+dlIN1zdGFuYnVsIP5laGlyIOdhbP3+bWEgZ/xuZf4='],
  ['windows-1255', 'שלום עולם, זה טקסט בעברית', '+ezl7SDy5eztLCDm5CDo9/HoIOHy4fjp+g=='],
  ['windows-1256', 'مرحبا بالعالم هذا نص باللغة العربية', '49HNyMcgyMfh2sfh4yDl0Mcg5NUgyMfh4dvJIMfh2tHI7ck='],
  ['macintosh', 'Müller;Köln;Düsseldorf', 'TZ9sbGVyO0uabG47RJ9zc2VsZG9yZg=='],
  ['macintosh', 'Hélène;Crème brûlée;Forêt', 'SI5sj25lO0Nyj21lIGJynmyOZTtGb3KQdA=='],
  ['macintosh', 'Muñoz;Peña;Sánchez;Pérez', 'TXWWb3o7UGWWYTtTh25jaGV6O1COcmV6'],
  ['ibm850', 'Müller;Köln;Düsseldorf', 'TYFsbGVyO0uUbG47RIFzc2VsZG9yZg=='],
  ['ibm850', 'Hélène;Crème brûlée;Forêt', 'SIJsim5lO0Nyim1lIGJylmyCZTtGb3KIdA=='],
  ['ibm850', 'García;Núñez;Málaga', 'R2FyY6FhO06jpGV6O02gbGFnYQ=='],
  ['windows-1250', 'Košice;Žilina;Škoda', 'S2+aaWNlO45pbGluYTuKa29kYQ=='],
  ['windows-1250', 'angličtina;arabština', 'YW5nbGnodGluYTthcmFimnRpbmE='],
  ['gb18030', '姓名,城市\n张三,北京\n李四,上海', '0NXD+yyzx8rQCtXFyP0ssbG+qQrA7svELMnPuqM='],
  ['gb18030', '张三', '1cXI/Q=='],
  ['big5', '姓名,城市\n張三,臺北\n李四,高雄', 'qW2mVyyrsKWrCrFppFQsu0+lXwqn9aV8LLCqtq8='],
  ['shift_jis', '名前,都市\n田中,東京\n鈴木,大阪', 'lryRTyyTc45zCpNjkoYsk4yLngqX6ZbYLJHljeM='],
  ['euc-jp', 'これは日本語で書かれたテキストです。', 'pLOk7KTPxvzL3LjspMe98aSrpOykv6XGpa2luaXIpMekuaGj'],
  ['iso-2022-jp', 'これは日本語です', 'GyRCJDMkbCRPRnxLXDhsJEckORsoQg=='],
  ['euc-kr', '똠방각하와 펩시콜라\n뷁이라는 글자, 계약서', 'jGO55rCix8+/zSDG6b3DxN228wqU7sDMtvO0wiCx28DaLCCw6L7gvK0='],
  ['euc-kr', '이름,도시\n김철수,서울\n이영희,부산', 'wMy4pyy1tb3DCrHow7a89iy8rb/vCsDMv7XI8Sy6zrvq'],
]

test.each(known)('%s: %s', (encoding, text, base64) => {
  expect(decodeText(Buffer.from(base64, 'base64'))).toEqual({ text, encoding, sure: false })
})

test.each([
  'Vitamin D 20 µg, Folic acid 200 µg, B12 2.5 µg daily',
  'Room,Area m²,Volume m³',
  'Tolerance: ± 0.5 mm at 20 °C',
  '½ cup sugar, ¼ tsp salt',
  'Sample,Dose (µg),Volume (µl)',
  'Tea,£5.00',
  'U = 1.2 W/m²·K',
  'Blood pressure ±10; potassium 4,5 µmol/l',
  'Entrée £7',
  'El niño,45 µg',
])('signs of western texts are no letters of others: %s', (text) => {
  expect(decodeText(Buffer.from(text, 'latin1'))).toEqual({ text, encoding: 'windows-1252', sure: false })
})

test.each([
  ['windows-1250', 'Dávka 20 µg', '44e1766b6120323020b567'],
  ['windows-1250', 'cena 5 zł', '63656e612035207ab3'],
  ['iso-8859-2', 'Łukasz Świątek', 'a3756b61737a20a67769b174656b'],
  ['iso-8859-2', 'Łomża,Łeba', 'a36f6dbf612ca3656261'],
  ['big5', '臺灣', 'bb4fc657'],
  ['shift_jis', '氏名,ﾃｽﾄ', '8e8196bc2cc3bdc4'],
  ['shift_jis', '山田,ﾔﾏﾀﾞ', '8e5293632cd4cfc0de'],
  ['windows-1250', 'Rok;Tržby\n2024;100', '526f6b3b54729e62790a323032343b313030'],
  ['windows-1250', 'Tržni delež;Država', '54729e6e692064656c659e3b44729e617661'],
  ['windows-1250', 'Inšpekcija;Služba', '496e9a70656b63696a613b536c759e6261'],
  ['windows-1250', 'dźwig;prośba', '649f7769673b70726f9c6261'],
  ['windows-1250', 'polsko–angielski', '706f6c736b6f96616e6769656c736b69'],
  ['shift_jis', 'htmlとcss', '68746d6c82c6637373'],
  ['big5', 'html和css', '68746d6ca94d637373'],
])('letters of others are no western signs: %s, %s', (_, text, hex) => {
  expect(decodeText(Buffer.from(hex, 'hex')).text).toBe(text)
})

test.each([
  'It’s a dog’s life — isn’t it?',
  'word—word',
  'the cost–benefit ratio',
  'l’été',
  '“Oui”, dit-il',
  'Naïveté;Œuvre',
  'The price–earnings ratio, cause–effect',
  'It’s the price–earnings ratio, isn’t it?',
  'Wait…what now?',
  'It’s late. Wait…what now–then?',
  'RENÉ;NOËL',
])('quotes and dashes are no letters of a Mac or of DOS: %s', (text) => {
  const bytes = Buffer.from(
    text.replace(
      /[‘-”]|[–—…]|Œ/g,
      (sign) =>
        ({ '’': '\x92', '“': '\x93', '”': '\x94', '–': '\x96', '—': '\x97', '…': '\x85', Œ: '\x8c' })[sign] ?? sign,
    ),
    'latin1',
  )
  expect(decodeText(bytes)).toEqual({ text, encoding: 'windows-1252', sure: false })
})

test.each([
  ['utf-16le', Buffer.from('\uFEFFПривет 日本', 'utf16le'), true],
  ['utf-16be', Buffer.from('\uFEFFПривет 日本', 'utf16le').swap16(), true],
  ['utf-16le', Buffer.from('Привет 日本', 'utf16le'), false],
  ['utf-16be', Buffer.from('Привет 日本', 'utf16le').swap16(), false],
  ['utf-8', Buffer.from('\uFEFFПривет 日本'), true],
])('%s by its mark or its zeros', (encoding, bytes, sure) => {
  expect(decodeText(bytes)).toEqual({ text: 'Привет 日本', encoding, sure })
})

test('UTF-8 is never mistaken for another encoding', () => {
  const text = fc
    .string({ unit: 'grapheme' })
    .filter((text) => !(text.includes('\0') || text.includes('\u001b') || text.includes('\uFEFF')))
  fc.assert(
    fc.property(text, (text) => {
      expect(decodeText(Buffer.from(text))).toEqual({ text, encoding: 'utf-8', sure: true })
    }),
  )
})

test('UTF-8 that was cut or has one wrong byte stays UTF-8', () => {
  const bytes = Buffer.from('Grüße aus Köln, schöne Tage in Österreich')
  expect(decodeText(bytes.subarray(0, 4)).encoding).not.toBe('utf-16le')
  expect(decodeText(Buffer.concat([bytes, Buffer.from([0xc3])]))).toMatchObject({ encoding: 'utf-8', sure: false })
  expect(decodeText(Buffer.concat([bytes, Buffer.from([0xff]), bytes])).text).toContain('Köln')
})

test('any bytes decode to some text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(typeof decodeText(bytes).text).toBe('string')
    }),
  )
})
