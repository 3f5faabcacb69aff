import type { Translations } from './translations.ts'

export const sk: Translations = {
  lang: 'sk',
  not_found: [
    'Tento odkaz nefunguje',
    'Odkaz nie je úplný alebo sa cestou zmenil. Otvorte ho, prosím, znova zo správy.',
  ],
  gone: ['Tento odkaz už neplatí', 'Vaša adresa tu už nie je uložená, takže nie je potrebné nič robiť.'],
  failed: ['Niečo sa pokazilo', 'Skúste to, prosím, o chvíľu znova.'],
  test_message: ['Toto bola skúšobná správa', 'Odkazy v nej nič nemenia.'],
  confirm: {
    title: 'Potvrďte odber',
    text: (names, address) => `Po potvrdení budú na adresu ${address} chodiť správy z odberu: ${names}.`,
    button: 'Potvrdiť odber',
    hint: 'Ak ste o odber nežiadali, jednoducho zatvorte túto stránku: bez vášho potvrdenia nič nepošleme.',
  },
  confirmed: ['Odber je potvrdený', (names) => `Ďakujeme. Odteraz budete dostávať správy z odberu: ${names}.`],
  nothing_to_confirm: ['Nie je čo potvrdiť', 'Váš odber už bol potvrdený alebo ste ho medzičasom odhlásili.'],
  unsubscribe: {
    title: 'Odhlásiť odber',
    text: (address) => `Ktoré správy už nemajú chodiť na adresu ${address}?`,
    lists: (names) => `Odhlásiť odber: ${names}`,
    everything: 'Odhlásiť všetky odbery',
    preferences: 'Radšej si vybrať zoznamy',
  },
  unsubscribed: ['Odber ste odhlásili', (address) => `Na adresu ${address} už nebudú chodiť žiadne správy.`],
  unsubscribed_lists: ['Odber ste odhlásili', (names) => `Už nebudete dostávať správy z odberu: ${names}.`],
  preferences: {
    title: 'Vaše nastavenia',
    text: (address) => `Vyberte si, ktoré správy majú chodiť na adresu ${address}.`,
    legend: 'Zoznamy',
    pending: 'Čaká na vaše potvrdenie; zaškrtnutím odber hneď potvrdíte.',
    none: 'Nie sú tu žiadne zoznamy na výber.',
    save: 'Uložiť',
    unsubscribe_all: 'Odhlásiť všetky odbery',
    saved: 'Váš výber bol uložený.',
    blocked:
      'Posielanie správ na túto adresu je zablokované, preto sa na odber nebolo možné prihlásiť. Obráťte ' +
      'sa, prosím, na odosielateľa.',
    unsubscribed: 'Všetky vaše odbery sú odhlásené. Ak chcete správy znova dostávať, zaškrtnite zoznam a uložte výber.',
  },
  forms: {
    sent: ['Ďakujeme', 'Vaša správa bola odoslaná.'],
    signed_up: ['Ďakujeme', 'Ak je potrebné potvrdenie, správa s ním je už na ceste do vašej schránky.'],
    refused: [
      'Nepodarilo sa odoslať',
      'Niečo chýba alebo nie je správne. Vráťte sa, prosím, a skontrolujte zadané údaje.',
    ],
    too_many: ['Počkajte, prosím, chvíľu', 'Formulár bol odoslaný príliš veľakrát. Skúste to znova o minútu.'],
    failed: ['Niečo sa pokazilo', 'Skúste to, prosím, o chvíľu znova.'],
  },
  confirmation: {
    subject: (project) => `Potvrďte, prosím, odber noviniek ${project}`,
    request: (project) => `Požiadali ste o zasielanie noviniek ${project}. Potvrďte, prosím, že toto je vaša adresa.`,
    button: 'Potvrdiť odber',
    closing: 'Ak ste o odber nežiadali, nemusíte nič robiť: bez vášho potvrdenia nič nepošleme.',
  },
  sign_up: { first_name: 'Meno', last_name: 'Priezvisko', button: 'Prihlásiť sa na odber' },
  own_link: {
    title: 'Správa odberu',
    text: 'Zadajte adresu, na ktorú prichádzajú tieto správy. Pošleme na ňu osobný odkaz.',
    email: 'E-mailová adresa',
    button: 'Poslať odkaz',
    sent: 'Ak táto adresa dostáva naše správy, odkaz je na ceste.',
    subject: (project) => `Váš odkaz: ${project}`,
    request: (project) =>
      `Požiadali ste o odkaz na svoj odber ${project}. Otvorí stránku, na ktorej si vyberiete zoznamy alebo sa odhlásite.`,
    closing: 'Ak ste o to nežiadali, nemusíte nič robiť. Nič sa nezmenilo.',
  },
  letters: { title: 'Odoslané správy', older: 'Staršie', newer: 'Novšie', none: 'Zatiaľ nebolo nič odoslané.' },
  email: {
    unsubscribe: 'Odhlásiť odber',
    preferences: 'Nastavenia',
    view: 'Zobraziť v prehliadači',
    read_more: 'Čítať ďalej',
  },
}
