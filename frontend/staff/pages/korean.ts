import texts from "../locale/ko.po";
import { speak } from "../texts";

speak(texts);
