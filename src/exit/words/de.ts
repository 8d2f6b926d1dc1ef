import type { ExitWords } from './exit-words';

export const DE: ExitWords = {
  language: 'Deutsch',
  title: { termination: 'Vertrag kündigen', withdrawal: 'Vertrag widerrufen' },
  intro: {
    termination:
      'Füllen Sie das Formular aus und drücken Sie die Schaltfläche. Sie erhalten sofort eine Bestätigung mit Datum und Uhrzeit.',
    withdrawal:
      'Füllen Sie das Formular aus und drücken Sie die Schaltfläche. Sie erhalten sofort eine Bestätigung mit Datum und Uhrzeit.',
  },
  other: { termination: 'Vertrag hier kündigen', withdrawal: 'Vertrag hier widerrufen' },
  fillIn: 'Ausfüllen',
  confirm: 'Bestätigen',
  name: 'Ihr Name',
  contract: 'Ihr Vertrag',
  contractHint: 'Zum Beispiel Kundennummer, Vertragsnummer oder Bestellnummer.',
  email: 'E-Mail-Adresse für die Bestätigung',
  termination: 'Art der Kündigung',
  terminations: {
    ordinary: 'Ordentliche Kündigung, ohne Angabe eines Grundes',
    extraordinary: 'Außerordentliche Kündigung, aus wichtigem Grund',
  },
  reason: 'Grund der außerordentlichen Kündigung',
  reasonHint: 'Nur, wenn Sie aus wichtigem Grund kündigen.',
  when: 'Zeitpunkt, zu dem der Vertrag enden soll',
  whenHint: 'Lassen Sie das Feld leer, wenn er so bald wie möglich enden soll.',
  effect: {
    termination: 'Mit dieser Schaltfläche erklären Sie die Kündigung Ihres Vertrags.',
    withdrawal: 'Mit dieser Schaltfläche erklären Sie den Widerruf Ihres Vertrags.',
  },
  button: { termination: 'jetzt kündigen', withdrawal: 'Widerruf bestätigen' },
  leaveEmpty: 'Lassen Sie dieses Feld leer',
  faulty: 'Es wurde noch nichts erklärt. Bitte prüfen Sie:',
  missing: 'Bitte füllen Sie dieses Feld aus.',
  noEmail: 'Bitte geben Sie eine E-Mail-Adresse wie name@example.com an.',
  tooLong: 'Dieser Text ist zu lang.',
  mustBeEmpty: 'Bitte lassen Sie dieses Feld leer.',
  unavailable:
    'Wir können Ihre Erklärung im Moment nicht speichern. Ohne Bestätigung gilt sie nicht als eingegangen. Ihre Angaben stehen noch hier: Bitte drücken Sie die Schaltfläche in einer Minute noch einmal. Zweimal drücken schadet nicht.',
  tooMany: (minutes) =>
    `Ihre Erklärung wurde nicht angenommen, weil in kurzer Zeit zu viele kamen. Ihre Angaben stehen noch hier: Bitte drücken Sie die Schaltfläche in ${minutes} Min. noch einmal.`,
  otherWays: 'Sie können auch einen anderen Weg gehen:',
  toCancellationPage: 'Zur Kündigungsseite',
  writeTo: 'Schreiben Sie an',
  notFound: 'Unter dieser Adresse gibt es nichts.',
  receipt: {
    subject: (product) => `Bestätigung: ${product}`,
    title: {
      termination: 'Ihre Kündigung ist bei uns eingegangen',
      withdrawal: 'Ihr Widerruf ist bei uns eingegangen',
    },
    lead: 'Das haben Sie erklärt:',
    number: 'Nummer',
    received: 'Eingegangen',
    kind: 'Erklärung',
    kinds: { termination: 'Kündigung des Vertrags', withdrawal: 'Widerruf des Vertrags' },
    product: 'Produkt',
    asSoonAsPossible: 'So bald wie möglich',
    keep: 'Bitte bewahren Sie diese Bestätigung auf.',
    alsoByMail: (email) => `Wir schicken diese Bestätigung auch an ${email}.`,
    asText: 'Als Text speichern',
    asHtml: 'Als Webseite speichern',
    canceledTitle: 'Wir haben Ihren Kündigungswunsch erhalten',
    canceledLead: 'Das haben Sie gewählt:',
    goOn: 'Weiter geht es unter',
  },
};
