import { showsSubmissions } from './shows-submissions.ts';

showsSubmissions(1_200, 301);
