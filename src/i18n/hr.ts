import type { Translations } from './translations.ts'

export const hr: Translations = {
  lang: 'hr',
  not_found: ['Ova poveznica ne radi', 'Nije potpuna ili je putem izmijenjena. Otvorite je ponovno iz poruke.'],
  gone: ['Ova poveznica više ne vrijedi', 'Vaša adresa više nije ovdje pohranjena, pa ne trebate ništa učiniti.'],
  failed: ['Nešto je pošlo po zlu', 'Pokušajte ponovno za koji trenutak.'],
  test_message: ['Ovo je bila probna poruka', 'Poveznice u njoj ništa ne mijenjaju.'],
  confirm: {
    title: 'Potvrdite prijavu',
    text: (names, address) => `Nakon potvrde na adresu ${address} stizat će poruke s popisa ${names}.`,
    button: 'Potvrdi prijavu',
    hint: 'Ako ovo niste zatražili, jednostavno zatvorite stranicu: bez vaše potvrde ništa se neće slati.',
  },
  confirmed: ['Prijava je potvrđena', (names) => `Hvala vam. Od sada ćete primati poruke s popisa ${names}.`],
  nothing_to_confirm: ['Nema ničega za potvrdu', 'Vaša je prijava već potvrđena ili ste se u međuvremenu odjavili.'],
  unsubscribe: {
    title: 'Odjava',
    text: (address) => `Koje poruke više ne treba slati na adresu ${address}?`,
    lists: (names) => `Odjava s popisa ${names}`,
    everything: 'Odjava sa svih popisa',
    preferences: 'Umjesto toga odaberite popise',
  },
  unsubscribed: ['Odjavljeni ste', (address) => `Na adresu ${address} više neće stizati poruke.`],
  unsubscribed_lists: ['Odjavljeni ste', (names) => `Više nećete primati poruke s popisa ${names}.`],
  preferences: {
    title: 'Vaše postavke',
    text: (address) => `Odaberite koje će poruke stizati na adresu ${address}.`,
    legend: 'Popisi',
    pending: 'Čeka vašu potvrdu; označite kvačicom da biste odmah potvrdili.',
    none: 'Nema popisa za odabir.',
    save: 'Spremi',
    unsubscribe_all: 'Odjava sa svih popisa',
    saved: 'Vaš je odabir spremljen.',
    blocked:
      'Slanje poruka na ovu adresu je blokirano, pa prijava na popis nije bila moguća. Obratite se pošiljatelju.',
    unsubscribed: 'Odjavljeni ste sa svih popisa. Da biste ponovno primali poruke, označite popis i spremite odabir.',
  },
  forms: {
    sent: ['Hvala vam', 'Vaša je poruka poslana.'],
    signed_up: ['Hvala vam', 'Ako je potrebna potvrda, poruka za potvrdu već je na putu u vaš sandučić.'],
    refused: ['Slanje nije uspjelo', 'Nešto nedostaje ili nije ispravno. Vratite se i provjerite što ste unijeli.'],
    too_many: ['Pričekajte trenutak', 'Obrazac je poslan previše puta. Pokušajte ponovno za minutu.'],
    failed: ['Nešto je pošlo po zlu', 'Pokušajte ponovno za koji trenutak.'],
  },
  confirmation: {
    subject: (project) => `Molimo vas, potvrdite prijavu na newsletter ${project}`,
    request: (project) => `Zatražili ste primanje newslettera ${project}. Molimo vas, potvrdite da je ovo vaša adresa.`,
    button: 'Potvrdi prijavu',
    closing: 'Ako ovo niste zatražili, ne trebate ništa učiniti: bez vaše potvrde ništa se neće slati.',
  },
  own_link: {
    title: 'Upravljanje pretplatom',
    text: 'Unesite adresu na koju stižu ove poruke. Na nju ćemo poslati osobnu poveznicu.',
    email: 'Adresa e-pošte',
    button: 'Pošalji poveznicu',
    sent: 'Ako ova adresa prima naše poruke, poveznica je na putu.',
    subject: (project) => `Vaša poveznica za ${project}`,
    request: (project) =>
      `Zatražili ste poveznicu za svoju pretplatu na ${project}. Ona otvara stranicu na kojoj birate popise ili se odjavljujete.`,
    closing: 'Ako to niste zatražili, ne morate ništa učiniti. Ništa se nije promijenilo.',
  },
  email: { unsubscribe: 'Odjava', preferences: 'Postavke', view: 'Prikaži u pregledniku', read_more: 'Pročitaj više' },
}
