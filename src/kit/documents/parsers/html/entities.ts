/** The names of the characters from 160 on, in order. */
const latin =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para'
    .concat(
      ' middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil',
    )
    .concat(
      ' Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash',
    )
    .concat(
      ' Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute',
    )
    .concat(
      ' ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute',
    )
    .concat(' ucirc uuml yacute thorn yuml')
    .split(' ')

/** The names of the Greek letters from α on, in order. */
const greek = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau'
  .concat(' upsilon phi chi psi omega')
  .split(' ')

/** Names and what each stands for, in turn. */
const signs = 'OElig Œ oelig œ Scaron Š scaron š Yuml Ÿ fnof ƒ circ ˆ tilde ˜ thetasym ϑ upsih ϒ piv ϖ ndash – mdash —'
  .concat(' lsquo ‘ rsquo ’ sbquo ‚ ldquo “ rdquo ” bdquo „ dagger † Dagger ‡ bull • hellip … permil ‰ prime ′')
  .concat(' Prime ″ lsaquo ‹ rsaquo › oline ‾ frasl ⁄ euro € image ℑ weierp ℘ real ℜ trade ™ alefsym ℵ larr ← uarr ↑')
  .concat(' rarr → darr ↓ harr ↔ crarr ↵ lArr ⇐ uArr ⇑ rArr ⇒ dArr ⇓ hArr ⇔ forall ∀ part ∂ exist ∃ empty ∅ nabla ∇')
  .concat(' isin ∈ notin ∉ ni ∋ prod ∏ sum ∑ minus − lowast ∗ radic √ prop ∝ infin ∞ ang ∠ and ∧ or ∨ cap ∩ cup ∪')
  .concat(' int ∫ there4 ∴ sim ∼ cong ≅ asymp ≈ ne ≠ equiv ≡ le ≤ ge ≥ sub ⊂ sup ⊃ nsub ⊄ sube ⊆ supe ⊇ oplus ⊕')
  .concat(' otimes ⊗ perp ⊥ sdot ⋅ lceil ⌈ rceil ⌉ lfloor ⌊ rfloor ⌋ lang ⟨ rang ⟩ loz ◊ spades ♠ clubs ♣ hearts ♥')
  .concat(' diams ♦')
  .split(' ')

const entities = new Map([
  ...latin.map((name, index): [string, string] => [name, String.fromCharCode(160 + index)]),
  ...greek.flatMap((name, index): [string, string][] => [
    [name, String.fromCharCode(945 + index)],
    [name.charAt(0).toUpperCase() + name.slice(1), String.fromCharCode(913 + index)],
  ]),
  ...signs.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, signs[index + 1] ?? '']] : [])),
  ...['nbsp', 'ensp', 'emsp', 'thinsp'].map((name): [string, string] => [name, ' ']),
  ...['shy', 'zwnj', 'zwj', 'lrm', 'rlm'].map((name): [string, string] => [name, '']),
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** Unknown names stay as they are written. */
export function resolveEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z][a-z0-9]{1,7});/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities.get(name) ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    // What old pages mean by them, and what browsers show.
    if (code >= 0x80 && code <= 0x9f) return new TextDecoder('windows-1252').decode(Uint8Array.of(code))
    return code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : whole
  })
}
