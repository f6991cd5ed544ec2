import type { DocumentType } from "../../packages/shared/src/enums.ts";

/** Names as people of a country write them, and the formats of their documents and phone numbers. */
export interface People {
  country: string;
  /** relative frequency */
  weight: number;
  male: readonly string[];
  female: readonly string[];
  family: readonly string[];
  /** form of the family name for women, if it differs */
  feminine?: (family: string) => string;
  write: (first: string, family: string) => string;
  document: DocumentType;
  /** # stands for any digit, @ for any letter */
  documentPattern: string;
  /** in a range reserved for fiction, if the country has one */
  mobilePattern: string;
}

const westernName = (first: string, family: string): string => `${first} ${family}`;
const familyFirst = (first: string, family: string): string => `${family}${first}`;
const russianFeminine = (family: string): string => family.replace(/ий$/, "ая").replace(/(ов|ев|ин)$/, "$1а");
const polishFeminine = (family: string): string => family.replace(/ski$/, "ska").replace(/cki$/, "cka");
const list = (text: string): string[] => text.split(" ");

export const PEOPLE: readonly People[] = [
  {
    country: "DE",
    weight: 34,
    male: list("Jonas Lukas Felix Matthias Stefan Andreas Tobias Henrik Moritz Joachim Sebastian Paul"),
    female: list("Anna Katharina Julia Sabine Franziska Lena Birgit Johanna Claudia Miriam Greta Ute"),
    family: list(
      "Brandt Köhler Weber Schäfer Lindemann Vogt Jansen Hofmann Krüger Baumann Seidel Petersen Busch Möller",
    ),
    write: westernName,
    document: "id_card",
    documentPattern: "L##@@##@#",
    mobilePattern: "+4915228817###",
  },
  {
    country: "GB",
    weight: 9,
    male: list("Oliver Harry Callum Alistair Graham Rhys"),
    female: list("Charlotte Imogen Fiona Harriet Eleanor Nia"),
    family: list("Whitfield Barnes MacAllister Hughes Pemberton Clarke Lewis"),
    write: westernName,
    document: "passport",
    documentPattern: "#########",
    mobilePattern: "+447700900###",
  },
  {
    country: "US",
    weight: 8,
    male: list("Tyler Marcus Ethan Caleb Andre"),
    female: list("Madison Brianna Grace Naomi Alicia"),
    family: list("Carter Reynolds Nguyen Morales Sullivan Brooks"),
    write: westernName,
    document: "passport",
    documentPattern: "@########",
    mobilePattern: "+120255501##",
  },
  {
    country: "FR",
    weight: 8,
    male: list("Théo Antoine Mathieu Rémi Guillaume"),
    female: list("Camille Élodie Manon Solène Amélie"),
    family: list("Lefèvre Moreau Garnier Rousseau Dubois Chevalier"),
    write: westernName,
    document: "id_card",
    documentPattern: "##@@#####",
    mobilePattern: "+33639980###",
  },
  {
    country: "IT",
    weight: 7,
    male: list("Lorenzo Matteo Davide Riccardo"),
    female: list("Giulia Chiara Martina Elisa"),
    family: list("Ferrari Conti Marchetti Galli Bellini"),
    write: westernName,
    document: "id_card",
    documentPattern: "CA#####@@",
    mobilePattern: "+393475550###",
  },
  {
    country: "ES",
    weight: 6,
    male: list("Álvaro Javier Iker Sergio"),
    female: list("Lucía Carmen Nuria Inés"),
    family: ["García Ruiz", "Navarro Gil", "Ortega Sanz", "Iglesias Vega", "Molina Prieto"],
    write: westernName,
    document: "id_card",
    documentPattern: "########@",
    mobilePattern: "+34600555###",
  },
  {
    country: "BR",
    weight: 4,
    male: list("Thiago Rafael João Caio"),
    female: list("Beatriz Larissa Fernanda Luíza"),
    family: ["Oliveira Santos", "Ferreira Lima", "Carvalho", "Barbosa Pinto"],
    write: westernName,
    document: "passport",
    documentPattern: "FA######",
    mobilePattern: "+5511955550###",
  },
  {
    country: "PL",
    weight: 5,
    male: list("Krzysztof Paweł Tomasz Michał"),
    female: list("Agnieszka Małgorzata Zofia Katarzyna"),
    family: list("Kowalski Wiśniewski Zieliński Nowak Wójcik"),
    feminine: polishFeminine,
    write: westernName,
    document: "id_card",
    documentPattern: "@@@######",
    mobilePattern: "+48600555###",
  },
  {
    country: "RU",
    weight: 3,
    male: list("Дмитрий Алексей Сергей Михаил"),
    female: list("Ольга Екатерина Наталья Анна"),
    family: list("Соколов Лебедев Морозов Орлов Беляев"),
    feminine: russianFeminine,
    write: westernName,
    document: "passport",
    documentPattern: "75#######",
    mobilePattern: "+79161550###",
  },
  {
    country: "CN",
    weight: 7,
    male: list("建国 伟 浩然 志强 子轩"),
    female: list("芳 丽娜 雨桐 静怡 秀英"),
    family: list("王 李 张 刘 陈 赵 周"),
    write: familyFirst,
    document: "passport",
    documentPattern: "E########",
    mobilePattern: "+8613855550###",
  },
  {
    country: "TW",
    weight: 3,
    male: list("志豪 俊傑 冠宇 家豪 承翰"),
    female: list("淑芬 怡君 雅婷 佩珊 詩涵"),
    family: list("林 黃 吳 許 蔡"),
    write: familyFirst,
    document: "passport",
    documentPattern: "3########",
    mobilePattern: "+886912555###",
  },
  {
    country: "JP",
    weight: 6,
    male: list("健太 翔太 直樹 大輔"),
    female: list("美咲 陽子 さくら 由美"),
    family: list("佐藤 鈴木 高橋 田中 山本"),
    write: (first, family) => `${family} ${first}`,
    document: "passport",
    documentPattern: "TR#######",
    mobilePattern: "+819055550###",
  },
  {
    country: "KR",
    weight: 4,
    male: list("민준 서준 도윤 지훈"),
    female: list("서연 지우 하은 수빈"),
    family: list("김 이 박 최 정"),
    write: familyFirst,
    document: "passport",
    documentPattern: "M########",
    mobilePattern: "+821055550###",
  },
  {
    country: "EG",
    weight: 4,
    male: list("أحمد محمود خالد يوسف كريم"),
    female: list("فاطمة مريم ليلى نور سلمى"),
    family: list("حسن المصري عبدالله السيد"),
    write: westernName,
    document: "passport",
    documentPattern: "@########",
    mobilePattern: "+201005550###",
  },
  {
    country: "TR",
    weight: 4,
    male: list("Emre Mehmet Burak Kerem Onur"),
    female: list("Elif Zeynep Ayşe Defne Merve"),
    family: list("Yılmaz Demir Kaya Şahin"),
    write: westernName,
    document: "passport",
    documentPattern: "U########",
    mobilePattern: "+905325550###",
  },
];
