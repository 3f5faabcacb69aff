/** The words that the service itself puts into a message, in the language of the message. */
export interface Words {
  unsubscribe: string
  preferences: string
  /** Under the message: the same as a page. */
  view: string
  /** Below the beginning of a post. */
  read_more: string
}

const WORDS: Readonly<Record<string, Words>> = {
  ar: { unsubscribe: 'إلغاء الاشتراك', preferences: 'التفضيلات', view: 'عرض في المتصفح', read_more: 'اقرأ المزيد' },
  bg: { unsubscribe: 'Отписване', preferences: 'Настройки', view: 'Преглед в браузъра', read_more: 'Прочетете още' },
  ca: {
    unsubscribe: 'Cancel·la la subscripció',
    preferences: 'Preferències',
    view: 'Mostra-ho al navegador',
    read_more: 'Llegeix-ne més',
  },
  cs: { unsubscribe: 'Odhlásit odběr', preferences: 'Nastavení', view: 'Zobrazit v prohlížeči', read_more: 'Číst dál' },
  da: { unsubscribe: 'Afmeld', preferences: 'Indstillinger', view: 'Vis i browser', read_more: 'Læs mere' },
  de: { unsubscribe: 'Abmelden', preferences: 'Einstellungen', view: 'Im Browser ansehen', read_more: 'Weiterlesen' },
  el: {
    unsubscribe: 'Διαγραφή',
    preferences: 'Προτιμήσεις',
    view: 'Προβολή στο πρόγραμμα περιήγησης',
    read_more: 'Διαβάστε περισσότερα',
  },
  en: { unsubscribe: 'Unsubscribe', preferences: 'Preferences', view: 'View in browser', read_more: 'Read more' },
  es: {
    unsubscribe: 'Cancelar la suscripción',
    preferences: 'Preferencias',
    view: 'Ver en el navegador',
    read_more: 'Leer más',
  },
  et: {
    unsubscribe: 'Loobu tellimusest',
    preferences: 'Eelistused',
    view: 'Vaata veebilehitsejas',
    read_more: 'Loe edasi',
  },
  fa: { unsubscribe: 'لغو اشتراک', preferences: 'تنظیمات', view: 'مشاهده در مرورگر', read_more: 'ادامه مطلب' },
  fi: { unsubscribe: 'Peruuta tilaus', preferences: 'Asetukset', view: 'Näytä selaimessa', read_more: 'Lue lisää' },
  fr: {
    unsubscribe: 'Se désabonner',
    preferences: 'Préférences',
    view: 'Voir dans le navigateur',
    read_more: 'Lire la suite',
  },
  he: { unsubscribe: 'הסרה מרשימת התפוצה', preferences: 'העדפות', view: 'הצגה בדפדפן', read_more: 'להמשך קריאה' },
  hr: { unsubscribe: 'Odjava', preferences: 'Postavke', view: 'Prikaži u pregledniku', read_more: 'Pročitaj više' },
  hu: { unsubscribe: 'Leiratkozás', preferences: 'Beállítások', view: 'Megnyitás böngészőben', read_more: 'Tovább' },
  id: {
    unsubscribe: 'Berhenti berlangganan',
    preferences: 'Preferensi',
    view: 'Lihat di peramban',
    read_more: 'Baca selengkapnya',
  },
  it: {
    unsubscribe: "Annulla l'iscrizione",
    preferences: 'Preferenze',
    view: 'Apri nel browser',
    read_more: 'Continua a leggere',
  },
  ja: { unsubscribe: '配信停止', preferences: '配信設定', view: 'ブラウザで表示', read_more: '続きを読む' },
  ko: { unsubscribe: '수신 거부', preferences: '수신 설정', view: '브라우저에서 보기', read_more: '더 읽기' },
  nb: { unsubscribe: 'Meld deg av', preferences: 'Innstillinger', view: 'Vis i nettleseren', read_more: 'Les mer' },
  nl: {
    unsubscribe: 'Uitschrijven',
    preferences: 'Voorkeuren',
    view: 'Bekijk in de browser',
    read_more: 'Lees verder',
  },
  pl: {
    unsubscribe: 'Wypisz się',
    preferences: 'Preferencje',
    view: 'Zobacz w przeglądarce',
    read_more: 'Czytaj dalej',
  },
  pt: {
    unsubscribe: 'Cancelar a subscrição',
    preferences: 'Preferências',
    view: 'Ver no navegador',
    read_more: 'Ler mais',
  },
  ro: { unsubscribe: 'Dezabonare', preferences: 'Preferințe', view: 'Vezi în browser', read_more: 'Citește mai mult' },
  ru: { unsubscribe: 'Отписаться', preferences: 'Настройки', view: 'Открыть в браузере', read_more: 'Читать далее' },
  sk: {
    unsubscribe: 'Odhlásiť odber',
    preferences: 'Nastavenia',
    view: 'Zobraziť v prehliadači',
    read_more: 'Čítať ďalej',
  },
  sv: {
    unsubscribe: 'Avsluta prenumerationen',
    preferences: 'Inställningar',
    view: 'Visa i webbläsaren',
    read_more: 'Läs mer',
  },
  tr: {
    unsubscribe: 'Abonelikten çık',
    preferences: 'Tercihler',
    view: 'Tarayıcıda görüntüle',
    read_more: 'Devamını oku',
  },
  uk: {
    unsubscribe: 'Відписатися',
    preferences: 'Налаштування',
    view: 'Відкрити в браузері',
    read_more: 'Читати далі',
  },
  ur: { unsubscribe: 'رکنیت ختم کریں', preferences: 'ترجیحات', view: 'براؤزر میں دیکھیں', read_more: 'مزید پڑھیں' },
  vi: { unsubscribe: 'Hủy đăng ký', preferences: 'Tùy chọn', view: 'Xem trong trình duyệt', read_more: 'Đọc thêm' },
  zh: { unsubscribe: '退订', preferences: '订阅设置', view: '在浏览器中查看', read_more: '阅读全文' },
}

/** The same language under another code. */
const ALSO: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb', iw: 'he', in: 'id' }

/** By the language of a BCP 47 tag; English where it is not here. */
export function wordsOf(lang: string): Words {
  const given = lang.toLowerCase().split('-')[0]!
  const language = Object.hasOwn(ALSO, given) ? ALSO[given]! : given
  return Object.hasOwn(WORDS, language) ? WORDS[language]! : WORDS.en!
}
