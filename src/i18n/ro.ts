import type { Translations } from './translations.ts'

export const ro: Translations = {
  lang: 'ro',
  not_found: [
    'Acest link nu funcționează',
    'Este incomplet sau a fost modificat pe parcurs. Vă rugăm să îl deschideți din nou din mesaj.',
  ],
  gone: [
    'Acest link nu mai este valabil',
    'Adresa dumneavoastră nu mai este păstrată aici, așa că nu mai trebuie să faceți nimic.',
  ],
  failed: ['Ceva nu a mers bine', 'Vă rugăm să încercați din nou peste câteva momente.'],
  test_message: ['Acesta a fost un mesaj de test', 'Linkurile din el nu au niciun efect.'],
  confirm: {
    title: 'Confirmați abonarea',
    text: (names, address) => `După ce confirmați abonarea la ${names}, mesajele vor fi trimise la adresa ${address}.`,
    button: 'Confirm abonarea',
    hint:
      'Dacă nu ați cerut acest lucru, închideți pur și simplu pagina: fără confirmarea dumneavoastră nu se ' +
      'trimite nimic.',
  },
  confirmed: [
    'Abonarea este confirmată',
    (names) => `Vă mulțumim. De acum înainte veți primi mesajele de la ${names}.`,
  ],
  nothing_to_confirm: ['Nu este nimic de confirmat', 'Abonarea a fost deja confirmată sau v-ați dezabonat între timp.'],
  unsubscribe: {
    title: 'Dezabonare',
    text: (address) => `Ce mesaje nu mai trebuie trimise la adresa ${address}?`,
    lists: (names) => `Dezabonare de la ${names}`,
    everything: 'Dezabonare de la toate',
    preferences: 'Alegeți în schimb listele dorite',
  },
  unsubscribed: ['V-ați dezabonat', (address) => `Nu se vor mai trimite mesaje la adresa ${address}.`],
  unsubscribed_lists: ['V-ați dezabonat', (names) => `Nu veți mai primi mesajele de la ${names}.`],
  preferences: {
    title: 'Preferințele dumneavoastră',
    text: (address) => `Alegeți ce mesaje se trimit la adresa ${address}.`,
    legend: 'Liste',
    pending: 'Așteaptă confirmarea dumneavoastră; bifați caseta pentru a confirma acum.',
    none: 'Nu există liste din care să alegeți.',
    save: 'Salvare',
    unsubscribe_all: 'Dezabonare de la toate',
    saved: 'Alegerea dumneavoastră a fost salvată.',
    blocked:
      'Trimiterea de mesaje la această adresă este blocată, așa că abonarea la o listă nu a fost ' +
      'posibilă. Vă rugăm să contactați expeditorul.',
    unsubscribed: 'V-ați dezabonat de la toate listele. Pentru a primi din nou o listă, bifați-o și salvați.',
  },
  forms: {
    sent: ['Vă mulțumim', 'Mesajul dumneavoastră a fost trimis.'],
    signed_up: [
      'Vă mulțumim',
      'Dacă este nevoie de o confirmare, mesajul este pe drum spre căsuța dumneavoastră de e-mail.',
    ],
    refused: [
      'Formularul nu a fost trimis',
      'Ceva lipsește sau nu este corect. Vă rugăm să reveniți și să verificați datele introduse.',
    ],
    too_many: ['Vă rugăm să așteptați un moment', 'S-au făcut prea multe trimiteri. Încercați din nou peste un minut.'],
    failed: ['Ceva nu a mers bine', 'Vă rugăm să încercați din nou peste câteva momente.'],
  },
  confirmation: {
    subject: (project) => `Vă rugăm să confirmați abonarea la ${project}`,
    request: (project) =>
      `Ați cerut să primiți mesaje de la ${project}. Vă rugăm să confirmați că aceasta este adresa dumneavoastră.`,
    button: 'Confirm abonarea',
    closing:
      'Dacă nu ați cerut acest lucru, nu trebuie să faceți nimic: fără confirmarea dumneavoastră nu se trimite nimic.',
  },
  sign_up: { button: 'Abonare' },
  own_link: {
    title: 'Gestionați abonamentul',
    text: 'Introduceți adresa care primește aceste mesaje. Vom trimite acolo un link personal.',
    email: 'Adresă de e-mail',
    button: 'Trimite linkul',
    sent: 'Dacă această adresă primește mesajele noastre, linkul este pe drum.',
    subject: (project) => `Linkul dvs. pentru ${project}`,
    request: (project) =>
      `Ați cerut linkul către abonamentul la ${project}. El deschide pagina în care alegeți listele sau vă dezabonați.`,
    closing: 'Dacă nu ați cerut acest lucru, nu trebuie să faceți nimic. Nimic nu s-a schimbat.',
  },
  letters: { title: 'Scrisori trimise', older: 'Mai vechi', newer: 'Mai noi', none: 'Încă nu s-a trimis nimic.' },
  email: {
    unsubscribe: 'Dezabonare',
    preferences: 'Preferințe',
    view: 'Vezi în browser',
    read_more: 'Citește mai mult',
  },
  consent: {
    label: 'Consimțământ',
    question: 'Poate acest site să folosească servicii care nu sunt esențiale?',
    accept: 'Accept',
    decline: 'Refuz',
    choose: 'Alege',
    save: 'Salvează alegerea',
    reopen: 'Opțiuni de confidențialitate',
    privacy: 'Confidențialitate',
    functional: 'Funcționale',
    functional_purpose: 'Extra, precum chat, hărți și videoclipuri.',
    analytics: 'Analiză',
    analytics_purpose: 'Numără vizitele, ca site-ul să devină mai bun.',
    advertising: 'Publicitate',
    advertising_purpose: 'Afișează reclame și le măsoară efectul.',
  },
  form_notice: {
    entries: (count) => `Răspunsuri noi la formularele dumneavoastră: ${count}`,
    more: (count) => `Alte răspunsuri: ${count}`,
    button: 'Citiți-le în Masthead',
    closing: (project) => `Primiți acest mesaj pentru că proiectul „${project}” vă anunță ce primesc formularele sale.`,
  },
}
