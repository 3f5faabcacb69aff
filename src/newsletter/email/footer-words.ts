/** The words that the service itself puts into a message, in the language of the message. */
export interface FooterWords {
  unsubscribe: string
  preferences: string
}

const WORDS: Readonly<Record<string, FooterWords>> = {
  ar: { unsubscribe: 'إلغاء الاشتراك', preferences: 'التفضيلات' },
  bg: { unsubscribe: 'Отписване', preferences: 'Настройки' },
  ca: { unsubscribe: 'Cancel·la la subscripció', preferences: 'Preferències' },
  cs: { unsubscribe: 'Odhlásit odběr', preferences: 'Nastavení' },
  da: { unsubscribe: 'Afmeld', preferences: 'Indstillinger' },
  de: { unsubscribe: 'Abmelden', preferences: 'Einstellungen' },
  el: { unsubscribe: 'Διαγραφή', preferences: 'Προτιμήσεις' },
  en: { unsubscribe: 'Unsubscribe', preferences: 'Preferences' },
  es: { unsubscribe: 'Cancelar la suscripción', preferences: 'Preferencias' },
  et: { unsubscribe: 'Loobu tellimusest', preferences: 'Eelistused' },
  fa: { unsubscribe: 'لغو اشتراک', preferences: 'تنظیمات' },
  fi: { unsubscribe: 'Peruuta tilaus', preferences: 'Asetukset' },
  fr: { unsubscribe: 'Se désabonner', preferences: 'Préférences' },
  he: { unsubscribe: 'הסרה מרשימת התפוצה', preferences: 'העדפות' },
  hr: { unsubscribe: 'Odjava', preferences: 'Postavke' },
  hu: { unsubscribe: 'Leiratkozás', preferences: 'Beállítások' },
  id: { unsubscribe: 'Berhenti berlangganan', preferences: 'Preferensi' },
  it: { unsubscribe: 'Annulla l\'iscrizione', preferences: 'Preferenze' },
  ja: { unsubscribe: '配信停止', preferences: '配信設定' },
  ko: { unsubscribe: '수신 거부', preferences: '수신 설정' },
  nb: { unsubscribe: 'Meld deg av', preferences: 'Innstillinger' },
  nl: { unsubscribe: 'Uitschrijven', preferences: 'Voorkeuren' },
  pl: { unsubscribe: 'Wypisz się', preferences: 'Preferencje' },
  pt: { unsubscribe: 'Cancelar a subscrição', preferences: 'Preferências' },
  ro: { unsubscribe: 'Dezabonare', preferences: 'Preferințe' },
  ru: { unsubscribe: 'Отписаться', preferences: 'Настройки' },
  sk: { unsubscribe: 'Odhlásiť odber', preferences: 'Nastavenia' },
  sv: { unsubscribe: 'Avsluta prenumerationen', preferences: 'Inställningar' },
  tr: { unsubscribe: 'Abonelikten çık', preferences: 'Tercihler' },
  uk: { unsubscribe: 'Відписатися', preferences: 'Налаштування' },
  ur: { unsubscribe: 'رکنیت ختم کریں', preferences: 'ترجیحات' },
  vi: { unsubscribe: 'Hủy đăng ký', preferences: 'Tùy chọn' },
  zh: { unsubscribe: '退订', preferences: '订阅设置' },
}

/** The same language under another code. */
const ALSO: Readonly<Record<string, string>> = { no: 'nb', nn: 'nb', iw: 'he', in: 'id' }

/** By the language of a BCP 47 tag; English where it is not here. */
export function footerWords(lang: string): FooterWords {
  const given = lang.toLowerCase().split('-')[0]!
  const language = Object.hasOwn(ALSO, given) ? ALSO[given]! : given
  return Object.hasOwn(WORDS, language) ? WORDS[language]! : WORDS.en!
}
