import type { Language } from './language.ts'

export const arabic: Language = {
  code: 'ar',
  companies:
    'النخيل للشحن|الواحة للأغذية|البحر الأزرق|الصفا للورق|المنار للبصريات|الجسر للكابلات|الرواد للطباعة|الينبوع للمضخات|السنابل للبذور|الفيروز للزجاج'.split(
      '|',
    ),
  people: 'سليم حداد|ليلى منصور|كريم البستاني|هدى الشامي|عمر القاسم|رنا درويش|يوسف النجار|سلمى عبود'.split('|'),
  projects: 'المنارة|الصقر|البستان|الحصاد|الفجر|الكوثر|الياسمين|المرجان'.split('|'),
  products: 'H-200|A-700|P-3000|C-9000|S-1200|D-5500'.split('|'),
  cities: 'عمان|بيروت|تونس|الرباط|مسقط|دمشق|القاهرة|وهران'.split('|'),
  headings: 'النطاق|الدفع|التسليم|الجودة|الموظفون|الأمن|التقارير|التعديلات'.split('|'),
  space: ' ',
  amount: (value) => `${value.toLocaleString('en-US', { minimumFractionDigits: 2 })} دينار`,
  date: (day, month, year) => `${String(day).padStart(2, '0')}/${String(month).padStart(2, '0')}/${year}`,
  facts: [
    {
      sentence: ({ company, days }) => `مدة الإشعار بإنهاء العقد مع شركة ${company} هي ${days} يوما.`,
      key: ({ company, days }) => `مع شركة ${company} هي ${days} يوما`,
      keywords: ({ company }) => `مدة الإشعار ${company}`,
      phrase: ({ company }) => `"إنهاء العقد مع شركة ${company}"`,
      question: ({ company }) => `كم يوما مدة إشعار إنهاء عقد شركة ${company}؟`,
      mistyped: ({ company }) => company.split(' ')[0] ?? '',
    },
    {
      sentence: ({ code, company, amount, date }) =>
        `دفعت فاتورة شركة ${company} رقم ${code} بمبلغ ${amount} بتاريخ ${date}.`,
      key: ({ code }) => `رقم ${code} بمبلغ`,
      keywords: ({ code }) => `فاتورة ${code}`,
      phrase: ({ code, company }) => `"فاتورة شركة ${company} رقم ${code}"`,
      number: ({ code }) => code,
      question: ({ code }) => `متى دفعت الفاتورة رقم ${code}؟`,
      mistyped: () => 'فاتورة',
    },
    {
      sentence: ({ person, project, city }) => `${person} مسؤول عن نقل نظام ${project} في مدينة ${city}.`,
      key: ({ person, project, city }) => `${person} مسؤول عن نقل نظام ${project} في مدينة ${city}`,
      keywords: ({ project, city }) => `مسؤول نقل ${project} ${city}`,
      phrase: ({ project, city }) => `"نقل نظام ${project} في مدينة ${city}"`,
      question: ({ project, city }) => `من المسؤول عن نقل النظام ${project} في ${city}؟`,
      mistyped: ({ project }) => project,
    },
    {
      sentence: ({ section, company, amount }) =>
        `تحدد المادة ${section} مسؤولية شركة ${company} بمبلغ ${amount} كحد أقصى.`,
      key: ({ section, company }) => `المادة ${section} مسؤولية شركة ${company}`,
      keywords: ({ company }) => `حد مسؤولية ${company}`,
      phrase: ({ company }) => `"مسؤولية شركة ${company}"`,
      number: ({ section, company }) => `المادة ${section} ${company}`,
      question: ({ company }) => `ما هو الحد الأقصى لمسؤولية ${company}؟`,
      mistyped: ({ company }) => company.split(' ')[0] ?? '',
    },
    {
      sentence: ({ product, code, days }) => `مدة ضمان الجهاز ${product} ذي الرقم التسلسلي ${code} هي ${days} شهرا.`,
      key: ({ code }) => `الرقم التسلسلي ${code}`,
      keywords: ({ code }) => `ضمان ${code}`,
      phrase: ({ code }) => `"الرقم التسلسلي ${code}"`,
      number: ({ code }) => code,
      question: ({ code }) => `كم شهرا ضمان الجهاز صاحب الرقم ${code}؟`,
      mistyped: () => 'التسلسلي',
    },
  ],
  fillers: [
    ({ company }) => `تقدم شركة ${company} تقريرا شهريا عن التسليم والجودة.`,
    ({ project }) => `يجتمع فريق ${project} كل أسبوعين ويحفظ المحاضر.`,
    ({ city }) => `تفحص البضائع التي تصل إلى ${city} قبل التخزين.`,
    ({ product }) => `يرفق دليل مع كل جهاز ${product} وتحفظ قطع الغيار.`,
    () => 'يحتاج تعديل هذه الوثيقة إلى موافقة خطية من الطرفين.',
    () => 'تحسب المدد بالأيام التقويمية ما لم يذكر غير ذلك.',
    ({ person }) => `قرأ ${person} نسخة سابقة وطلب فصولا أقصر.`,
    () => 'يراجع الفواتير شخصان قبل الدفع.',
    () => 'المكتب مغلق في العطل الرسمية ويجيب فريق الخدمة بالبريد.',
    ({ company, city }) => `يحتفظ مستودع شركة ${company} في ${city} بمخزون أسبوعين.`,
    () => 'لا يشمل الضمان الاستهلاك ولا قطع المصنعين الآخرين.',
  ],
  rights: [
    {
      text: 'يولد جميع الناس أحرارا متساوين في الكرامة والحقوق، وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء.',
      question: 'أحرارا متساوين في الكرامة',
    },
    { text: 'لكل فرد الحق في الحياة والحرية وسلامة شخصه.', question: 'الحق في الحياة والحرية' },
    {
      text: 'لا يجوز استرقاق أو استعباد أي شخص، ويحظر الاسترقاق وتجارة الرقيق بكافة أوضاعهما.',
      question: 'تجارة الرقيق',
    },
    { text: 'لا يجوز القبض على أي إنسان أو حجزه أو نفيه تعسفا.', question: 'القبض على إنسان تعسفا' },
  ],
}
