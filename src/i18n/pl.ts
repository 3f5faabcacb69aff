import type { Translations } from './translations.ts'

export const pl: Translations = {
  lang: 'pl',
  not_found: ['Ten link nie działa', 'Jest niepełny lub uległ zmianie po drodze. Otwórz go ponownie z wiadomości.'],
  gone: ['Ten link stracił ważność', 'Twój adres nie jest już tutaj przechowywany, więc nie trzeba nic więcej robić.'],
  failed: ['Coś poszło nie tak', 'Spróbuj ponownie za chwilę.'],
  test_message: ['To była wiadomość testowa', 'Zawarte w niej linki niczego nie zmieniają.'],
  confirm: {
    title: 'Potwierdź subskrypcję',
    text: (names, address) => `Po potwierdzeniu na adres ${address} będą wysyłane wiadomości z subskrypcji: ${names}.`,
    button: 'Potwierdzam subskrypcję',
    hint: 'Jeśli to nie Twoja prośba, po prostu zamknij tę stronę: bez Twojego potwierdzenia nic nie zostanie wysłane.',
  },
  confirmed: [
    'Subskrypcja potwierdzona',
    (names) => `Dziękujemy. Od teraz będziesz otrzymywać wiadomości z subskrypcji: ${names}.`,
  ],
  nothing_to_confirm: [
    'Nie ma nic do potwierdzenia',
    'Subskrypcja została już potwierdzona albo w międzyczasie anulowana.',
  ],
  unsubscribe: {
    title: 'Wypisz się',
    text: (address) => `Które wiadomości nie powinny już trafiać na adres ${address}?`,
    lists: (names) => `Wypisz się z subskrypcji: ${names}`,
    everything: 'Wypisz się ze wszystkich subskrypcji',
    preferences: 'Zamiast tego wybierz listy',
  },
  unsubscribed: ['Subskrypcja anulowana', (address) => `Na adres ${address} nie będą już wysyłane żadne wiadomości.`],
  unsubscribed_lists: [
    'Subskrypcja anulowana',
    (names) => `Nie będziesz już otrzymywać wiadomości z subskrypcji: ${names}.`,
  ],
  preferences: {
    title: 'Twoje preferencje',
    text: (address) => `Wybierz, które wiadomości mają trafiać na adres ${address}.`,
    legend: 'Listy',
    pending: 'Oczekuje na Twoje potwierdzenie; zaznacz pole, aby potwierdzić teraz.',
    none: 'Nie ma list do wyboru.',
    save: 'Zapisz',
    unsubscribe_all: 'Wypisz się ze wszystkich subskrypcji',
    saved: 'Twój wybór został zapisany.',
    blocked:
      'Wysyłanie wiadomości na ten adres jest zablokowane, dlatego zapisanie na listę nie było możliwe. ' +
      'Skontaktuj się z nadawcą.',
    unsubscribed:
      'Wszystkie Twoje subskrypcje zostały anulowane. Aby znów otrzymywać wiadomości z wybranej listy, ' +
      'zaznacz ją i zapisz zmiany.',
  },
  forms: {
    sent: ['Dziękujemy', 'Twoja wiadomość została wysłana.'],
    signed_up: ['Dziękujemy', 'Jeśli potrzebne jest potwierdzenie, wiadomość jest już w drodze do Twojej skrzynki.'],
    refused: [
      'Formularz nie został wysłany',
      'Czegoś brakuje lub coś się nie zgadza. Wróć i sprawdź wprowadzone dane.',
    ],
    too_many: ['Zaczekaj chwilę', 'Wysłano zbyt wiele zgłoszeń. Spróbuj ponownie za minutę.'],
    failed: ['Coś poszło nie tak', 'Spróbuj ponownie za chwilę.'],
  },
  confirmation: {
    subject: (project) => `${project}: potwierdź subskrypcję`,
    request: (project) =>
      `Otrzymaliśmy prośbę o wysyłanie na ten adres wiadomości, których nadawcą jest ${project}. Potwierdź, że ` +
      `to Twój adres.`,
    button: 'Potwierdzam subskrypcję',
    closing: 'Jeśli to nie Twoja prośba, nie musisz nic robić: bez Twojego potwierdzenia nic nie zostanie wysłane.',
  },
  sign_up: { button: 'Zapisz się' },
  own_link: {
    title: 'Zarządzaj subskrypcją',
    text: 'Podaj adres, na który przychodzą te wiadomości. Wyślemy tam osobisty link.',
    email: 'Adres e-mail',
    button: 'Wyślij link',
    sent: 'Jeśli ten adres otrzymuje nasze wiadomości, link jest już w drodze.',
    subject: (project) => `Twój link: ${project}`,
    request: (project) =>
      `Otrzymaliśmy prośbę o link do subskrypcji ${project}. Otwiera on stronę, na której można wybrać listy lub zrezygnować.`,
    closing: 'Jeśli to nie Ty, nie musisz nic robić. Nic się nie zmieniło.',
  },
  letters: { title: 'Wysłane listy', older: 'Starsze', newer: 'Nowsze', none: 'Nic jeszcze nie wysłano.' },
  email: {
    unsubscribe: 'Wypisz się',
    preferences: 'Preferencje',
    view: 'Zobacz w przeglądarce',
    read_more: 'Czytaj dalej',
  },
  consent: {
    label: 'Zgoda',
    question: 'Czy ta strona może korzystać z usług, które nie są niezbędne?',
    accept: 'Zgadzam się',
    decline: 'Odmawiam',
    choose: 'Wybierz',
    save: 'Zapisz wybór',
    reopen: 'Ustawienia prywatności',
    privacy: 'Prywatność',
    functional: 'Funkcjonalne',
    functional_purpose: 'Dodatki, takie jak czaty, mapy i filmy.',
    analytics: 'Analityczne',
    analytics_purpose: 'Liczą odwiedziny, aby strona była lepsza.',
    advertising: 'Reklamowe',
    advertising_purpose: 'Pokazują reklamy i mierzą ich skuteczność.',
  },
  form_notice: {
    entries: (count) => `Nowe wpisy w Twoich formularzach: ${count}`,
    more: (count) => `Pozostałe wpisy: ${count}`,
    button: 'Przeczytaj w Masthead',
    closing: (project) =>
      `Otrzymujesz tę wiadomość, ponieważ projekt „${project}” informuje Cię o tym, co otrzymują jego formularze.`,
  },
}
