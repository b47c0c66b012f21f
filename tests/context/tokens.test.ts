import { encode } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { tokensIn } from '../../src/kit/model/tokens.ts'

/** By how much the estimate may be off a real tokenizer's count, either way; docs/decisions/010 has the figures. */
const samples: [language: string, most: number, text: string][] = [
  [
    'English',
    0.15,
    'The harbour is open every day from eight to six. Two ships came in late this week because of the storm, and the crew asked for a new berth near the old lighthouse.',
  ],
  [
    'German',
    0.15,
    'Der Hafen ist jeden Tag von acht bis achtzehn Uhr geöffnet. Zwei Schiffe kamen diese Woche wegen des Sturms zu spät, und die Mannschaft bat um einen neuen Liegeplatz beim alten Leuchtturm.',
  ],
  [
    'French',
    0.15,
    'Le port est ouvert tous les jours de huit heures à dix-huit heures. Deux navires sont arrivés en retard cette semaine à cause de la tempête, et l’équipage a demandé une nouvelle place près du vieux phare.',
  ],
  [
    'Spanish',
    0.15,
    'El puerto está abierto todos los días de ocho a dieciocho horas. Dos barcos llegaron tarde esta semana por la tormenta, y la tripulación pidió un nuevo atraque cerca del viejo faro.',
  ],
  [
    'Russian',
    0.15,
    'Порт открыт каждый день с восьми до восемнадцати часов. Два корабля опоздали на этой неделе из-за шторма, и экипаж попросил новое место у старого маяка.',
  ],
  [
    'Arabic',
    0.15,
    'الميناء مفتوح كل يوم من الثامنة حتى السادسة. وصلت سفينتان متأخرتين هذا الأسبوع بسبب العاصفة، وطلب الطاقم مرسى جديدا قرب المنارة القديمة.',
  ],
  [
    'Hindi',
    0.15,
    'बंदरगाह हर दिन आठ बजे से छह बजे तक खुला रहता है। तूफ़ान के कारण इस सप्ताह दो जहाज़ देर से आए, और चालक दल ने पुराने प्रकाशस्तंभ के पास नई जगह माँगी।',
  ],
  ['Chinese', 0.15, '港口每天从八点开放到十八点。本周有两艘船因为风暴而迟到，船员要求在旧灯塔附近安排一个新的泊位。'],
  [
    'Japanese',
    0.15,
    '港は毎日八時から十八時まで開いています。今週は嵐のために二隻の船が遅れ、乗組員は古い灯台の近くに新しい停泊場所を求めました。',
  ],
  [
    'Korean',
    0.15,
    '항구는 매일 여덟 시부터 열여덟 시까지 열려 있습니다. 이번 주에는 폭풍 때문에 배 두 척이 늦게 도착했고 선원들은 오래된 등대 근처에 새 정박지를 요청했습니다.',
  ],
  [
    'Chinese with English names',
    0.15,
    '请用 read_file 打开 uploads/report.md，然后把 sales 表格里的 total 列写进 outputs/summary.md，最后告诉 Ana 结果。',
  ],
  [
    'TypeScript',
    0.15,
    'export const tokensOfAll = (messages: readonly Message[]): number =>\n  messages.reduce((sum, message) => sum + tokensOf(message), 0)\n\nconst leastRatio = 0.5\n',
  ],
  [
    'JSON',
    0.15,
    '{"type":"object","properties":{"path":{"type":"string","minLength":1},"offset":{"type":"integer","minimum":1,"default":1}},"required":["path"],"additionalProperties":false}',
  ],
  [
    'CSV with numbers',
    0.15,
    '2026-03-01,17:45,1284.50,EUR,48213\n2026-03-02,08:10,917.25,EUR,48214\n2026-03-03,11:32,2201.00,EUR,48215\n',
  ],
]

const errorOf = (text: string): number => tokensIn(text) / encode(text).length - 1

test.each(samples)('%s is estimated well enough', (language, most, text) => {
  const error = errorOf(text)
  if (process.env.BOBBIN_SHOW) process.stdout.write(`${language}: ${(error * 100).toFixed(0)} %\n`)
  expect(Math.abs(error)).toBeLessThanOrEqual(most)
})
