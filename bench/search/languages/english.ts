import type { Language } from './language.ts'

export const english: Language = {
  code: 'en',
  companies:
    'Halvorsen Marine|Brightwell Foods|Corvane Logistics|Deltona Paper|Eastmoor Glass|Farrowgate Steel|Grenville Optics|Hartwood Timber|Ironbridge Cable|Juniper Freight|Kestrel Pumps|Lowfield Dairy|Marlowe Textiles|Northgate Tiles|Oakhurst Seeds|Penrose Valves|Quillan Print|Redcliffe Motors|Stanmore Paints|Thornbury Cement|Underhill Boats|Vexford Chemicals|Westbrook Tools|Yarrow Plastics'.split(
      '|',
    ),
  people:
    'Margaret Osei|Daniel Whitlock|Priya Raman|Owen Castellan|Fiona Drummond|Tobias Engel|Lucy Hargreaves|Samir Haddad|Nora Lindqvist|Patrick Boyle|Ines Carvalho|George Adeyemi'.split(
      '|',
    ),
  projects: 'Lighthouse|Granite|Sparrow|Meridian|Cobalt|Harvest|Tundra|Beacon|Orchard|Falcon|Quartz|Monsoon'.split('|'),
  products:
    'H-200 compressor|Aria scanner|Vento fan|Polar freezer|Lumen projector|Atlas crane|Nimbus router|Tempo press|Sierra boiler|Delta mixer'.split(
      '|',
    ),
  cities: 'Bristol|Aberdeen|Cardiff|Leeds|Galway|Norwich|Dundee|Plymouth|Swansea|Belfast'.split('|'),
  headings:
    'Scope|Payment|Deliveries|Quality|Staff|Security|Reporting|Changes|Meetings|Transport|Storage|Training'.split('|'),
  space: ' ',
  amount: (value) => `EUR ${value.toLocaleString('en-US', { minimumFractionDigits: 2 })}`,
  date: (day, month, year) =>
    `${day} ${'January February March April May June July August September October November December'.split(' ')[month - 1]} ${year}`,
  facts: [
    {
      sentence: ({ company, days }) => `The notice period for ${company} is ${days} days to the end of a quarter.`,
      key: ({ company, days }) => `notice period for ${company} is ${days} days`,
      keywords: ({ company }) => `notice period ${company}`,
      phrase: ({ company }) => `"notice period for ${company}"`,
      question: ({ company }) => `How many days of notice do we have to give ${company}?`,
      mistyped: ({ company }) => company.split(' ')[0] ?? '',
    },
    {
      sentence: ({ code, amount, date, company }) =>
        `Invoice ${code} of ${company} over ${amount} was paid on ${date}.`,
      key: ({ code }) => `Invoice ${code}`,
      keywords: ({ code }) => `invoice ${code} paid`,
      phrase: ({ code, company }) => `"Invoice ${code} of ${company}"`,
      number: ({ code }) => code,
      question: ({ code }) => `When did we pay the invoice ${code}?`,
      mistyped: () => 'invoice',
    },
    {
      sentence: ({ person, project, city }) => `${person} is responsible for the migration of ${project} in ${city}.`,
      key: ({ person, project, city }) => `${person} is responsible for the migration of ${project} in ${city}`,
      keywords: ({ project, city }) => `responsible migration ${project} ${city}`,
      phrase: ({ project, city }) => `"migration of ${project} in ${city}"`,
      question: ({ project, city }) => `Who takes responsibility for migrating ${project} in ${city}?`,
      mistyped: ({ project }) => project,
    },
    {
      sentence: ({ section, company, amount }) => `Section ${section} limits the liability of ${company} to ${amount}.`,
      key: ({ section, company }) => `Section ${section} limits the liability of ${company}`,
      keywords: ({ company }) => `liability limit ${company}`,
      phrase: ({ company }) => `"limits the liability of ${company}"`,
      number: ({ section, company }) => `section ${section} ${company}`,
      question: ({ company }) => `Up to which sum is ${company} liable, what are the limits?`,
      mistyped: ({ company }) => company.split(' ')[0] ?? '',
    },
    {
      sentence: ({ product, days, code }) =>
        `The ${product} with serial number ${code} carries a warranty of ${days} months.`,
      key: ({ code, days }) => `serial number ${code} carries a warranty of ${days} months`,
      keywords: ({ product, code }) => `warranty ${product} ${code}`,
      phrase: ({ code }) => `"serial number ${code}"`,
      number: ({ code }) => code,
      question: ({ code }) => `How long does the warranty of number ${code} last?`,
      mistyped: () => 'warranty',
    },
    {
      sentence: ({ project, email, city }) => `Questions about ${project} in ${city} go to ${email}.`,
      key: ({ email }) => `go to ${email}`,
      keywords: ({ email }) => email,
      phrase: ({ project, city }) => `"Questions about ${project} in ${city}"`,
      question: ({ project, city }) => `To whom do I send a question about ${project} in ${city}?`,
      mistyped: ({ project }) => project,
    },
    {
      sentence: ({ date, project, days, code }) =>
        `On ${date} the ${project} service was unavailable for ${days} minutes (incident ${code}).`,
      key: ({ code }) => `incident ${code}`,
      keywords: ({ project, date }) => `${project} service unavailable ${date}`,
      phrase: ({ project, days }) => `"${project} service was unavailable for ${days} minutes"`,
      number: ({ code }) => `incident ${code}`,
      question: ({ project, date }) =>
        `For how many minutes was the service of ${project} down and unavailable on ${date}?`,
      mistyped: () => 'unavailable',
    },
    {
      sentence: ({ city, date, company }) =>
        `The board decided to close the office of ${company} in ${city} by ${date}.`,
      key: ({ company, city }) => `close the office of ${company} in ${city}`,
      keywords: ({ company, city }) => `board close office ${company} ${city}`,
      phrase: ({ company, city }) => `"office of ${company} in ${city}"`,
      question: ({ company, city }) => `When are the offices of ${company} in ${city} closing?`,
      mistyped: ({ company }) => company.split(' ')[0] ?? '',
    },
  ],
  fillers: [
    ({ company }) => `${company} reports once a month on deliveries, quality and open points.`,
    ({ project }) => `The team of ${project} meets every second week and keeps minutes.`,
    ({ city }) => `Goods that arrive in ${city} are checked for damage before they are stored.`,
    ({ product }) => `A manual comes with each ${product}, and spare parts are kept in stock.`,
    () => 'Changes to this document need the written consent of both sides.',
    () => 'Where nothing else is said, periods are counted in calendar days.',
    ({ person }) => `${person} has read an earlier version and asked for shorter chapters.`,
    () => 'Invoices are checked by two people before they are paid.',
    () => 'The office is closed on public holidays, and the service desk answers by mail.',
    ({ company, city }) => `The depot of ${company} in ${city} keeps a reserve for two weeks.`,
    () => 'Incidents are recorded, sorted by weight and discussed in the next meeting.',
    ({ project, person }) => `For ${project}, ${person} prepares a plan of costs and dates.`,
    () => 'Training is offered in spring and autumn and is free for all who take part.',
    ({ product, city }) => `One ${product} is shown in the hall in ${city}, next to the entrance.`,
    () => 'Liability for loss of data follows the law unless a section says otherwise.',
    () => 'The warranty does not cover wear, wrong use or parts of other makers.',
    ({ company }) => `Samples from ${company} were tested twice, with equal results.`,
    () => 'Access to the building is by card; visitors are met at the door.',
  ],
  rights: [
    {
      text: 'All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and should act towards one another in a spirit of brotherhood.',
      question: 'born free and equal dignity',
    },
    {
      text: 'Everyone has the right to life, liberty and security of person.',
      question: 'Who has a right to life and liberty?',
    },
    {
      text: 'No one shall be held in slavery or servitude; slavery and the slave trade shall be prohibited in all their forms.',
      question: 'is the trade with slaves prohibited',
    },
    {
      text: 'No one shall be subjected to arbitrary arrest, detention or exile.',
      question: 'arbitrarily arrested or exiled',
    },
    { text: 'Everyone has the right to freedom of thought, conscience and religion.', question: 'freedom of religion' },
    {
      text: 'Everyone has the right to education. Education shall be free, at least in the elementary and fundamental stages.',
      question: 'free elementary education',
    },
  ],
}
