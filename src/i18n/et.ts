import type { Translations } from './translations.ts'

export const et: Translations = {
  lang: 'et',
  not_found: ['See link ei tööta', 'Link ei ole täielik või on teel muutunud. Palun avage see uuesti kirjast.'],
  gone: ['See link enam ei kehti', 'Teie aadressi siin enam ei säilitata, seega ei ole vaja midagi teha.'],
  failed: ['Midagi läks valesti', 'Palun proovige hetke pärast uuesti.'],
  test_message: ['See oli proovikiri', 'Selles olevad lingid ei muuda midagi.'],
  confirm: {
    title: 'Kinnitage tellimus',
    text: (names, address) => `Pärast kinnitamist hakkavad aadressile ${address} saabuma tellitud kirjad: ${names}.`,
    button: 'Kinnita tellimus',
    hint: 'Kui te seda ei soovinud, sulgege lihtsalt see leht: ilma teie kinnituseta ei saadeta midagi.',
  },
  confirmed: ['Tellimus on kinnitatud', (names) => `Täname! Edaspidi saate tellitud kirju: ${names}.`],
  nothing_to_confirm: [
    'Midagi ei ole vaja kinnitada',
    'Teie tellimus on juba kinnitatud või olete sellest vahepeal loobunud.',
  ],
  unsubscribe: {
    title: 'Loobu tellimusest',
    text: (address) => `Milliseid kirju ei tohiks enam aadressile ${address} saata?`,
    lists: (names) => `Loobu tellimusest: ${names}`,
    everything: 'Loobu kõigist tellimustest',
    preferences: 'Vali selle asemel loendid',
  },
  unsubscribed: ['Olete tellimusest loobunud', (address) => `Aadressile ${address} enam kirju ei saadeta.`],
  unsubscribed_lists: ['Olete tellimusest loobunud', (names) => `Teile ei saadeta enam neid kirju: ${names}.`],
  preferences: {
    title: 'Teie eelistused',
    text: (address) => `Valige, millised kirjad aadressile ${address} saadetakse.`,
    legend: 'Loendid',
    pending: 'Ootab teie kinnitust; kohe kinnitamiseks märkige ruut.',
    none: 'Valikus ei ole ühtegi loendit.',
    save: 'Salvesta',
    unsubscribe_all: 'Loobu kõigist tellimustest',
    saved: 'Teie valik on salvestatud.',
    blocked:
      'Kirjade saatmine sellele aadressile on blokeeritud, seetõttu ei õnnestunud loendiga liituda. Palun ' +
      'pöörduge saatja poole.',
    unsubscribed: 'Olete loobunud kõigist tellimustest. Kirjade uuesti saamiseks märkige loend ja salvestage valik.',
  },
  forms: {
    sent: ['Täname', 'Teie sõnum on saadetud.'],
    signed_up: ['Täname', 'Kui on vaja kinnitust, on kinnituskiri juba teel teie postkasti.'],
    refused: [
      'Saatmine ei õnnestunud',
      'Midagi on puudu või ei ole õige. Palun minge tagasi ja vaadake sisestatud andmed üle.',
    ],
    too_many: ['Palun oodake hetk', 'Vormi on saadetud liiga palju kordi. Proovige minuti pärast uuesti.'],
    failed: ['Midagi läks valesti', 'Palun proovige hetke pärast uuesti.'],
  },
  confirmation: {
    subject: (project) => `Palun kinnitage oma tellimus: ${project}`,
    request: (project) => `Soovisite saada kirju saatjalt ${project}. Palun kinnitage, et see on teie aadress.`,
    button: 'Kinnita tellimus',
    closing: 'Kui te seda ei soovinud, ei ole vaja midagi teha: ilma teie kinnituseta ei saadeta midagi.',
  },
  sign_up: { first_name: 'Eesnimi', last_name: 'Perekonnanimi', button: 'Liitu' },
  own_link: {
    title: 'Halda oma tellimust',
    text: 'Sisestage aadress, kuhu need kirjad saabuvad. Saadame sinna isikliku lingi.',
    email: 'E-posti aadress',
    button: 'Saada link',
    sent: 'Kui see aadress saab meie kirju, on link teel.',
    subject: (project) => `Teie link: ${project}`,
    request: (project) =>
      `Küsisite linki oma tellimusele: ${project}. See avab lehe, kus saate valida loendeid või tellimuse lõpetada.`,
    closing: 'Kui te seda ei küsinud, ei pea te midagi tegema. Midagi ei ole muutunud.',
  },
  letters: { title: 'Saadetud kirjad', older: 'Vanemad', newer: 'Uuemad', none: 'Midagi pole veel saadetud.' },
  email: {
    unsubscribe: 'Loobu tellimusest',
    preferences: 'Eelistused',
    view: 'Vaata veebilehitsejas',
    read_more: 'Loe edasi',
  },
}
