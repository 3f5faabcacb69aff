import type { Translations } from './translations.ts'

export const hu: Translations = {
  lang: 'hu',
  not_found: [
    'Ez a hivatkozás nem működik',
    'Hiányos, vagy útközben megváltozott. Kérjük, nyissa meg újra az üzenetből.',
  ],
  gone: ['Ez a hivatkozás már nem érvényes', 'Az Ön címét már nem tároljuk itt, így nincs további teendője.'],
  failed: ['Hiba történt', 'Kérjük, próbálja meg kis idő múlva újra.'],
  test_message: ['Ez egy tesztüzenet volt', 'A benne lévő hivatkozások semmit sem változtatnak meg.'],
  confirm: {
    title: 'A feliratkozás megerősítése',
    text: (names, address) =>
      `Miután megerősítette a feliratkozást (${names}), az üzeneteket erre a címre küldjük: ${address}.`,
    button: 'Feliratkozás megerősítése',
    hint: 'Ha nem Ön kérte ezt, egyszerűen zárja be az oldalt: az Ön megerősítése nélkül semmit sem küldünk.',
  },
  confirmed: ['Sikeres feliratkozás', (names) => `Köszönjük. Mostantól megkapja a következő üzeneteket: ${names}.`],
  nothing_to_confirm: ['Nincs mit megerősíteni', 'A feliratkozását már megerősítette, vagy azóta leiratkozott.'],
  unsubscribe: {
    title: 'Leiratkozás',
    text: (address) => `Mely üzeneteket ne küldjük többé erre a címre: ${address}?`,
    lists: (names) => `Leiratkozás: ${names}`,
    everything: 'Leiratkozás mindenről',
    preferences: 'Inkább kiválasztom a listákat',
  },
  unsubscribed: ['Sikeres leiratkozás', (address) => `Erre a címre nem küldünk több üzenetet: ${address}.`],
  unsubscribed_lists: ['Sikeres leiratkozás', (names) => `A következő üzeneteket többé nem kapja meg: ${names}.`],
  preferences: {
    title: 'Az Ön beállításai',
    text: (address) => `Válassza ki, mely üzeneteket küldjük erre a címre: ${address}.`,
    legend: 'Listák',
    pending: 'Megerősítésre vár; a megerősítéshez jelölje be.',
    none: 'Nincsenek választható listák.',
    save: 'Mentés',
    unsubscribe_all: 'Leiratkozás mindenről',
    saved: 'A választását elmentettük.',
    blocked:
      'Az erre a címre küldött üzenetek le vannak tiltva, ezért a listára nem lehetett feliratkozni. ' +
      'Kérjük, forduljon a feladóhoz.',
    unsubscribed:
      'Ön mindenről leiratkozott. Ha újra szeretné kapni egy lista üzeneteit, jelölje be a listát, majd ' +
      'mentse el a választását.',
  },
  forms: {
    sent: ['Köszönjük', 'Üzenetét elküldtük.'],
    signed_up: ['Köszönjük', 'Ha megerősítés szükséges, az erről szóló üzenet már úton van a postafiókjába.'],
    refused: [
      'A küldés nem sikerült',
      'Valami hiányzik vagy nem megfelelő. Kérjük, lépjen vissza, és ellenőrizze a megadott adatokat.',
    ],
    too_many: ['Kérjük, várjon egy kicsit', 'Túl sok küldés történt. Próbálja meg újra egy perc múlva.'],
    failed: ['Hiba történt', 'Kérjük, próbálja meg kis idő múlva újra.'],
  },
  confirmation: {
    subject: (project) => `${project}: kérjük, erősítse meg a feliratkozását`,
    request: (project) =>
      `Ön üzeneteket kért a következő feladótól: ${project}. Kérjük, erősítse meg, hogy ez az Ön címe.`,
    button: 'Feliratkozás megerősítése',
    closing: 'Ha nem Ön kérte ezt, nincs teendője: az Ön megerősítése nélkül semmit sem küldünk.',
  },
  sign_up: { button: 'Feliratkozás' },
  own_link: {
    title: 'Feliratkozás kezelése',
    text: 'Adja meg a címet, amelyre ezek az üzenetek érkeznek. Személyes hivatkozást küldünk rá.',
    email: 'E-mail-cím',
    button: 'Hivatkozás küldése',
    sent: 'Ha erre a címre küldjük üzeneteinket, a hivatkozás már úton van.',
    subject: (project) => `Az Ön hivatkozása: ${project}`,
    request: (project) =>
      `Ön a(z) ${project} feliratkozásának hivatkozását kérte. Azon az oldalon választhat listákat vagy iratkozhat le.`,
    closing: 'Ha nem Ön kérte ezt, nincs teendője. Semmi sem változott.',
  },
  letters: { title: 'Elküldött levelek', older: 'Régebbiek', newer: 'Újabbak', none: 'Még semmi sem lett elküldve.' },
  email: { unsubscribe: 'Leiratkozás', preferences: 'Beállítások', view: 'Megnyitás böngészőben', read_more: 'Tovább' },
  consent: {
    label: 'Hozzájárulás',
    question: 'Használhat ez az oldal olyan szolgáltatásokat, amelyek nem feltétlenül szükségesek?',
    accept: 'Elfogadom',
    decline: 'Elutasítom',
    choose: 'Választok',
    save: 'Választás mentése',
    reopen: 'Adatvédelmi beállítások',
    privacy: 'Adatvédelem',
    functional: 'Funkcionális',
    functional_purpose: 'Kiegészítők, például csevegés, térképek és videók.',
    analytics: 'Statisztika',
    analytics_purpose: 'Megszámolja a látogatásokat, hogy az oldal jobb legyen.',
    advertising: 'Hirdetés',
    advertising_purpose: 'Hirdetéseket mutat és méri a hatásukat.',
  },
  form_notice: {
    entries: (count) => `Új bejegyzések az űrlapjain: ${count}`,
    more: (count) => `További bejegyzések: ${count}`,
    button: 'Megnyitás a Mastheadben',
    closing: (project) =>
      `Azért kapja ezt az üzenetet, mert a(z) „${project}” projekt értesíti arról, amit az űrlapjai fogadnak.`,
  },
}
