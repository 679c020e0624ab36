(** * The largest ARD at a given MED

    M, A, B, P are the pairs of objects: all, and those together in a row, in a column, in a cell.

    [largest_ard_given_med]: let m = n MED >= 2 and n >= (m + 4)^2.  No table has a larger ARD than the hook of ones, a
    corner of n - m objects with m/2 ones below it, rounded down, and m/2 ones beside it, rounded up; and only tables
    of this form have the same ARD.

    Proof.  Tables with P >= 1 and ARD > 1 are hooks with corner n - m ([ard_above_one_iff_hook]).  In a hook the cells
    of the arm are cut into ones, then those of the leg: the same number of pairs is taken from B and P, then from A and
    P, and the ARD increases ([same_addition_cross]).  Among hooks of ones with the same m the ARD increases with the
    product of the lengths ([longer_product]).  Tables with P = 0 have A, B <= m(m+1)/2 and a smaller ARD
    ([no_pairs_below]).

    [largest_ard_one_misplaced]: let m = 1 and n >= 3.  The ARD is at most M/(M - 1), and if it exceeds 1, then P = 0.
    [one_misplaced_attained]: some pair of clusterings has it.

    Proof.  One object lies off the matching, with y1 matched objects in its row and y2 in its column.  With Q the pairs
    in matched cells, A = Q + y1, B = Q + y2, P = Q and M >= Q + y1 + y2 + y1 y2 ([one_off_pairs]). *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_algebra zify.
From Confmat Require Import Arithmetic Tables BestHook ArdGivenMedIntegers NearMatching ArdGivenMed.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.POrderTheory.
Local Open Scope nat_scope.
Delimit Scope Z_scope with integer.   (* %Z is taken by mathcomp *)

(* ------------------------------------------------------------------ *)
(** ** The ARD as a function of pairs *)

Definition denominator (M A B : nat) : nat := A * (M - B) + B * (M - A).
Definition ard_of (M A B P : nat) : rat := (M * (A + B - 2 * P))%N%:R / (denominator M A B)%:R.

Lemma ARD_of_pairs r s (x : table r s) : 0 < all_pairs x ->
  ARD x = ard_of (all_pairs x) (row_pairs x) (col_pairs x) (cell_pairs x).
Proof.
move=> M0; rewrite ARD_nat // F_half /ard_of -mulnA [(_ - _) * _]mulnC.
rewrite -/(denominator _ _ _) (natrM _ 2) (natrM _ 2).
by rewrite -mulf_div divff ?mul1r // pnatr_eq0.
Qed.

Lemma ard_of_lt M A B P A' B' P' : 0 < M -> 0 < denominator M A B -> 0 < denominator M A' B' ->
  (A + B - 2 * P) * denominator M A' B' < (A' + B' - 2 * P') * denominator M A B ->
  (ard_of M A B P < ard_of M A' B' P')%R.
Proof. by move=> M0 D0 D0' h; rewrite ratio_lt // -!mulnA ltn_pmul2l. Qed.

Lemma ard_of_sym M A B P : ard_of M A B P = ard_of M B A P.
Proof. by rewrite /ard_of /denominator addnC [X in (_ / X%:R)%R]addnC. Qed.

Lemma denominator_positive M A B : 0 < A -> A < M -> 0 < B -> B <= M -> 0 < denominator M A B.
Proof. by move=> A0 AM B0 BM; rewrite addn_gt0 [B * _ > 0]muln_gt0 B0 subn_gt0 AM orbT. Qed.

(* fewer pairs in cells and in columns, by the same number *)
Lemma cut_column_pairs M A B P y : 0 < A -> A < M -> 0 < B -> P + y <= A -> P <= B -> A + B <= M + P ->
  B + y <= M -> (ard_of M A (B + y) (P + y) <= ard_of M A B P ?= iff (y == 0)%N)%R.
Proof.
move=> A0 AM B0 PA PB h BM; have M0 : 0 < M by apply: leq_ltn_trans AM.
apply/leifP; case: eqP => [->|/eqP]; first by rewrite !addn0.
rewrite -lt0n => y0; apply: ard_of_lt => //.
- by apply: denominator_positive => //; lia.
- by apply: denominator_positive => //; lia.
- by apply: same_addition_cross => //; lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** Pairs of hooks *)

Lemma bin2_add a b : 'C(a + b, 2) = 'C(a, 2) + 'C(b, 2) + a * b.
Proof. have := double_bin2 (a + b); have := double_bin2 a; have := double_bin2 b; nia. Qed.

Lemma bin2_positive w : 1 < w -> 0 < 'C(w, 2). Proof. by rewrite bin_gt0. Qed.

(* pa, pl pairs within the cells of arm and leg *)
Lemma cut_into_ones w al be pa pl (M := 'C(w + al + be, 2)) : 1 < w -> 0 < be -> 0 < al ->
  pa <= 'C(al, 2) -> pl <= 'C(be, 2) ->
  (ard_of M ('C(w + al, 2) + pl) ('C(w + be, 2) + pa) ('C(w, 2) + pa + pl)
     <= ard_of M 'C(w + al, 2) 'C(w + be, 2) 'C(w, 2) ?= iff ((pa == 0) && (pl == 0))%N)%R.
Proof.
move=> w1 be0 al0 hpa hpl; have W0 := bin2_positive w1.
have eM : M = 'C(w, 2) + 'C(al, 2) + 'C(be, 2) + w * al + w * be + al * be.
  by rewrite /M !bin2_add; lia.
have e1 := bin2_add w al; have e2 := bin2_add w be.
have p1 : 0 < w * al by rewrite muln_gt0 al0 andbT; lia.
have p2 : 0 < w * be by rewrite muln_gt0 be0 andbT; lia.
have p3 : 0 < al * be by rewrite muln_gt0 al0 be0.
rewrite -addnA [pa + pl]addnC addnA.
have arm := @cut_column_pairs M ('C(w + al, 2) + pl) 'C(w + be, 2) ('C(w, 2) + pl) pa.
have leg := @cut_column_pairs M 'C(w + be, 2) 'C(w + al, 2) 'C(w, 2) pl.
rewrite ![ard_of M 'C(w + be, 2) _ _]ard_of_sym in leg.
apply: leif_trans (arm _ _ _ _ _ _ _) (leg _ _ _ _ _ _ _); lia.
Qed.

Lemma product_of_pairs u v : 4 * ('C(u.+1, 2) * 'C(v.+1, 2)) = (u * v) * (u * v + u + v + 1).
Proof.
have h1 := double_bin2' u.+1; have h2 := double_bin2' v.+1; rewrite !subn1 /= in h1 h2.
have -> : 4 * ('C(u.+1, 2) * 'C(v.+1, 2)) = (2 * 'C(u.+1, 2)) * (2 * 'C(v.+1, 2)) by lia.
rewrite h1 h2; lia.
Qed.

(* a hook of ones with corner w, al ones beside and be ones below it *)
Definition ard_of_ones w al be : rat := ard_of 'C(w + al + be, 2) 'C(w + al, 2) 'C(w + be, 2) 'C(w, 2).

Lemma pairs_of_ones w al be : 0 < al -> 0 < be -> 2 * (al + be) + 1 < w ->
  'C(w + al + be, 2) * 'C(w, 2) < 'C(w + al, 2) * 'C(w + be, 2).
Proof.
move=> a0 b0 big.
have := @hook_above_one_nat (w + (al + be)) (al + be) w al be 0 0 erefl erefl a0 b0 ltac:(lia) ltac:(lia) ltac:(lia).
by rewrite !addn0 -!double_bin2' addnA; nia.
Qed.

Lemma denominator_of_ones w al be : 0 < al -> 0 < be -> 1 < w ->
  0 < denominator 'C(w + al + be, 2) 'C(w + al, 2) 'C(w + be, 2).
Proof.
move=> a0 b0 w1; have W0 := bin2_positive w1.
have := bin2_add w al; have := bin2_add w be; have := bin2_add (w + al) be; rewrite mulnDl => e1 e2 e3.
have p : 0 < al * be by rewrite muln_gt0 a0 b0.
apply: denominator_positive; lia.
Qed.

Lemma longer_product w al be al' be' : 0 < al -> 0 < be -> 0 < al' -> 0 < be' -> al + be = al' + be' ->
  al * be < al' * be' -> 2 * (al + be) + 1 < w -> (ard_of_ones w al be < ard_of_ones w al' be')%R.
Proof.
move=> a0 b0 a0' b0' e lt big; have w1 : 1 < w by lia.
have W0 := bin2_positive w1; have above := pairs_of_ones a0 b0 big.
have D := denominator_of_ones a0 b0 w1; have D' := denominator_of_ones a0' b0' w1.
have eM : 'C(w + al' + be', 2) = 'C(w + al + be, 2) by rewrite -!addnA e.
rewrite /ard_of_ones eM in D' *; have M0 : 0 < 'C(w + al + be, 2) by rewrite bin_gt0; lia.
apply: ard_of_lt => //.
have s1 := bin2_add w al; have s2 := bin2_add w be; have s1' := bin2_add w al'; have s2' := bin2_add w be'.
have s3 := bin2_add (w + al) be; have s3' := bin2_add (w + al') be'; have t := bin2_add al be; have t' := bin2_add al' be'.
rewrite -e in t'; rewrite eM in s3'.
have wm : w * al + w * be = w * al' + w * be' by rewrite -!mulnDr e.
have p : 0 < w * al by rewrite muln_gt0 a0 andbT; lia.
have p' : 0 < w * al' by rewrite muln_gt0 a0' andbT; lia.
apply: cross_decides_nat; try (rewrite ?mulnDl in s3 s3'; lia).
have [v wE] : exists v, w = v.+1 by exists (w - 1); lia.
rewrite -(@ltn_pmul2l 4) // wE !addSn !product_of_pairs.
have r : (v + al) * (v + be) < (v + al') * (v + be').
  by rewrite !mulnDl !mulnDr wE in wm *; lia.
have -> : (v + al') * (v + be') + (v + al') + (v + be') + 1 = (v + al') * (v + be') + (2 * v + (al + be) + 1) by lia.
have -> : (v + al) * (v + be) + (v + al) + (v + be) + 1 = (v + al) * (v + be) + (2 * v + (al + be) + 1) by lia.
move: ((v + al) * _) ((v + al') * _) (2 * v + _ + 1) r => X Y g r.
by apply: ltn_mul; lia.
Qed.

(* no pair of objects together in both clusterings: A, B <= K = m(m+1)/2 *)
Lemma no_pairs_below w al be A B K (M := 'C(w + al + be, 2)) : 0 < al -> 0 < be ->
  (al + be) * (al + be) <= 4 * (al * be) + 1 -> 2 <= al + be -> (al + be) * (al + be) + 7 * (al + be) + 16 <= w ->
  2 * K = (al + be) * (al + be + 1) -> A <= K -> B <= K -> A < M -> B <= M -> 0 < A -> 0 < B ->
  (ard_of M A B 0 < ard_of_ones w al be)%R.
Proof.
move=> a0 b0 hq m2 hw hK AK BK AM BM A0 B0; have w1 : 1 < w by lia.
have W0 := bin2_positive w1; have M0 : 0 < M by rewrite bin_gt0; lia.
have s1 := bin2_add w al; have s2 := bin2_add w be; have s3 := bin2_add (w + al) be; rewrite mulnDl in s3.
apply: ard_of_lt => //; [exact: denominator_positive | exact: denominator_of_ones |].
rewrite muln0 subn0; apply: (@cross_no_pairs_nat M A B K); rewrite -/M in s3 *; try lia.
have := @no_pairs_hook (Z.of_nat (al + be)) (Z.of_nat w) (Z.of_nat al) (Z.of_nat be) ltac:(lia) ltac:(lia) ltac:(lia)
  ltac:(lia) ltac:(lia) ltac:(lia).
have d1 := double_bin2' (w + al); have d2 := double_bin2' (w + be); have d3 := double_bin2' w.
have d4 : 2 * M = (w + (al + be)) * (w + (al + be) - 1) by rewrite addnA; exact: double_bin2'.
have z1 : ((Z.of_nat w + Z.of_nat al) * (Z.of_nat w + Z.of_nat al - 1) = 2 * Z.of_nat 'C(w + al, 2))%integer by lia.
have z2 : ((Z.of_nat w + Z.of_nat be) * (Z.of_nat w + Z.of_nat be - 1) = 2 * Z.of_nat 'C(w + be, 2))%integer by lia.
have z3 : (Z.of_nat w * (Z.of_nat w - 1) = 2 * Z.of_nat 'C(w, 2))%integer by lia.
have z4 : ((Z.of_nat w + Z.of_nat (al + be)) * (Z.of_nat w + Z.of_nat (al + be) - 1) = 2 * Z.of_nat M)%integer by lia.
have z5 : (Z.of_nat (al + be) * (Z.of_nat (al + be) + 1) = 2 * Z.of_nat K)%integer by lia.
rewrite z1 z2 z3 z4 z5 => h.
have [s sE] : exists s, 'C(w + al, 2) + 'C(w + be, 2) = 2 * 'C(w, 2) + s.
  by exists ('C(w + al, 2) + 'C(w + be, 2) - 2 * 'C(w, 2)); lia.
rewrite sE addKn; move: h sE; clear.
move: ('C(w + al, 2)) ('C(w + be, 2)) ('C(w, 2)) => a b c h e.
have e' : (2 * Z.of_nat a + 2 * Z.of_nat b - 2 * (2 * Z.of_nat c) = 2 * Z.of_nat s)%integer by lia.
rewrite e' in h; lia.
Qed.

(* ------------------------------------------------------------------ *)
(** ** The theorem *)

Definition hook_of_ones (n m : nat) : table m./2.+1 (uphalf m).+1 :=
  @corner_hook m./2 (uphalf m) (n - m) (fun=> 1) (fun=> 1).
Arguments hook_of_ones : clear implicits.

Lemma half_sum m : uphalf m + m./2 = m. Proof. by rewrite uphalf_half -addnA addnn odd_double_half. Qed.

Lemma half_product m : m * m <= 4 * (uphalf m * m./2) + 1.
Proof. by have := half_sum m; rewrite uphalf_half; case: (odd m); move: m./2 => k; nia. Qed.

(* no sum of two parts has a larger product *)
Lemma half_best m al be : al + be = m -> al * be < uphalf m * m./2 \/ al = uphalf m /\ be = m./2 \/ al = m./2 /\ be = uphalf m.
Proof.
move=> e; have h := half_sum m; rewrite uphalf_half in h *.
by case: (odd m) h => /= h; move: m./2 h => k h; nia.
Qed.

Lemma ARD_hook_of_ones n m : m <= n -> 1 < n -> ARD (hook_of_ones n m) = ard_of_ones (n - m) (uphalf m) m./2.
Proof.
move=> mn n1; have c t : choose_two t (fun=> 1) = 0 by rewrite /choose_two big1.
have t : total (hook_of_ones n m) = n - m + uphalf m + m./2.
  by rewrite corner_hook_total !sum_nat_const !card_ord !muln1.
rewrite ARD_of_pairs /all_pairs t; last by rewrite bin_gt0 -addnA half_sum subnK.
by rewrite corner_hook_row_pairs corner_hook_col_pairs corner_hook_cell_pairs !c !sum_nat_const !card_ord !muln1 !addn0.
Qed.

(* the hook of ones has m objects off its best matching *)
Lemma hook_of_ones_misplaced n m : 2 * m < n ->
  total (hook_of_ones n m) = n /\ total (hook_of_ones n m) - best (hook_of_ones n m) = m.
Proof.
move=> big; have t : total (hook_of_ones n m) = n.
  by rewrite corner_hook_total !sum_nat_const !card_ord !muln1 -addnA half_sum subnK //; lia.
split=> //; rewrite t hook_of_ones_best; first by rewrite subKn //; lia.
  by rewrite uphalf_half leq_addl.
by rewrite addnC half_sum; lia.
Qed.

(* the corner holds the best matching, its row and its column ones, as many or one more or fewer *)
Definition is_hook_of_ones r s (x : table r s) (m : nat) : Prop := exists i0 j0,
  [/\ x i0 j0 = best x, forall i j, i != i0 -> j != j0 -> x i j = 0,
      forall j, j != j0 -> x i0 j <= 1, forall i, i != i0 -> x i j0 <= 1 &
      row_sum x i0 = best x + uphalf m \/ row_sum x i0 = best x + m./2].

Lemma no_pairs_in_cells (I : finType) (Q : pred I) (F : I -> nat) :
  \sum_(i | Q i) 'C(F i, 2) = 0 -> forall i, Q i -> F i <= 1.
Proof.
move=> e i Qi; move/eqP: e; rewrite sum_nat_eq0 => /forall_inP /(_ i Qi).
by rewrite -leqn0 leqNgt bin_gt0 -leqNgt.
Qed.

Lemma sum_pairs_at_most (I : finType) (Q : pred I) (F : I -> nat) :
  \sum_(i | Q i) 'C(F i, 2) <= 'C(\sum_(i | Q i) F i, 2).
Proof. by have := sum_pairs_le Q F; rewrite -double_bin2' leq_pmul2l. Qed.

Theorem largest_ard_given_med r s (x : table r s) : r <= s -> let m := total x - best x in
  2 <= m -> (m + 4) * (m + 4) <= total x ->
  (ARD x <= ARD (hook_of_ones (total x) m))%R /\
  (ARD x = ARD (hook_of_ones (total x) m) -> is_hook_of_ones x m).
Proof.
move=> rs m m2 hn; have n1 : 1 < total x by lia.
have mn : m <= total x by exact: leq_subr.
have M0 : 0 < all_pairs x by rewrite bin_gt0.
have up0 : 0 < uphalf m by case: (m) m2 => [|[]].
have dn0 : 0 < m./2 by case: (m) m2 => [|[]].
pose w := total x - m; have nE : w + uphalf m + m./2 = total x by rewrite -addnA half_sum subnK.
have hw : m * m + 7 * m + 16 <= w by rewrite /w; lia.
rewrite ARD_hook_of_ones // -/w.
have big : 2 * m + 1 < w by lia.
have one : (1 < ard_of_ones w (uphalf m) m./2)%R.
  rewrite -ARD_hook_of_ones //; have [t _] := @hook_of_ones_misplaced (total x) m ltac:(lia).
  have M1 : 0 < all_pairs (hook_of_ones (total x) m) by rewrite /all_pairs t bin_gt0.
  apply/(ARD_above_one M1); rewrite /all_pairs t.
  have c k : choose_two k (fun=> 1) = 0 by rewrite /choose_two big1.
  rewrite corner_hook_row_pairs corner_hook_col_pairs corner_hook_cell_pairs !c !sum_nat_const !card_ord !muln1 !addn0.
  by rewrite -/w -nE; apply: pairs_of_ones => //; rewrite half_sum.
suff [lt|[-> ones]] : (ARD x < ard_of_ones w (uphalf m) m./2)%R \/
    ARD x = ard_of_ones w (uphalf m) m./2 /\ is_hook_of_ones x m.
- by split=> [|e]; [exact: ltW | rewrite e ltxx in lt].
- by split.
case: (boolP (1 < ARD x)%R) => [gt|]; last by rewrite real_ltNge ?num_real // negbK => le; left; exact: le_lt_trans le one.
have prod := (ARD_above_one M0).1 gt.
have A0 : 0 < row_pairs x by case: (posnP (row_pairs x)) prod => [->|].
have B0 : 0 < col_pairs x by case: (posnP (col_pairs x)) prod => [->|] //; rewrite muln0.
have eM : all_pairs x = 'C(w + uphalf m + m./2, 2) by rewrite /all_pairs nE.
rewrite ARD_of_pairs // eM; case: (posnP (cell_pairs x)) => [P0|P0].
  left; rewrite P0; have [f fI fe] := best_attained x rs.
  have xw i j : x i j <= 1 by have := pairs_le_cell x i j; rewrite P0; case: (x i j) => [|[|k]].
  have em : \sum_i x i (f i) + m = total x by rewrite fe subnKC // best_le_total.
  have hA := row_pairs_near xw em; have hB := col_pairs_near fI xw em; rewrite P0 in hA hB.
  have hK : 2 * 'C(m.+1, 2) = m * (m + 1) by rewrite double_bin2' subn1 mulnC addn1.
  have hM : 2 * all_pairs x = total x * (total x - 1) by exact: double_bin2'.
  have KM : 'C(m.+1, 2) < all_pairs x by rewrite -(@ltn_pmul2l 2) // hK hM; nia.
  have AK : row_pairs x <= 'C(m.+1, 2) by rewrite -(@leq_pmul2l 2) // hK; lia.
  have BK : col_pairs x <= 'C(m.+1, 2) by rewrite -(@leq_pmul2l 2) // hK; lia.
  have hq := half_product m; have hs := half_sum m.
  by apply: (@no_pairs_below _ _ _ _ _ 'C(m.+1, 2)); rewrite ?hs -?eM //; lia.
have [i0 [j0 [bw z ha hb]]] := (ard_above_one_iff_hook rs (ltnW m2) hn P0).1 gt.
pose al := \sum_(j | j != j0) x i0 j; pose be := \sum_(i | i != i0) x i j0.
pose pa := \sum_(j | j != j0) 'C(x i0 j, 2); pose pl := \sum_(i | i != i0) 'C(x i j0, 2).
have tn := hook_total z; rewrite -/al -/be bw in tn.
have ra : row_sum x i0 = best x + al by rewrite -bw; exact: hook_corner_row.
have cb : col_sum x j0 = best x + be by rewrite -bw; exact: hook_corner_col.
have a0 : 0 < al by move: ha; rewrite bw ra -[X in X < _]addn0 ltn_add2l.
have b0 : 0 < be by move: hb; rewrite bw cb -[X in X < _]addn0 ltn_add2l.
have am : al + be = m by rewrite /m tn -addnA addKn.
have wb : best x = w by rewrite /w -am tn -addnA addnK.
have eM' : 'C(w + uphalf m + m./2, 2) = 'C(w + al + be, 2) by rewrite -!addnA half_sum am.
rewrite (hook_row_pairs z) (hook_col_pairs z) (hook_cell_pairs z) bw wb -/al -/be -/pa -/pl eM'.
have [le eq] := @cut_into_ones w al be pa pl ltac:(lia) b0 a0 (sum_pairs_at_most _ _) (sum_pairs_at_most _ _).
rewrite -/(ard_of_ones w al be) in le eq.
have form : pa = 0 -> pl = 0 -> al = uphalf m \/ al = m./2 -> is_hook_of_ones x m.
  move=> a1 l1 hl; exists i0, j0; split=> //.
  - by move=> j; apply: no_pairs_in_cells a1 j.
  - by move=> i; apply: no_pairs_in_cells l1 i.
  - by rewrite ra; case: hl => ->; [left | right].
have level : ard_of_ones w al be = ard_of_ones w (uphalf m) m./2 -> al = uphalf m \/ al = m./2 ->
    (ard_of 'C(w + al + be, 2) ('C(w + al, 2) + pl) ('C(w + be, 2) + pa) ('C(w, 2) + pa + pl)
       < ard_of_ones w (uphalf m) m./2)%R \/
    ard_of 'C(w + al + be, 2) ('C(w + al, 2) + pl) ('C(w + be, 2) + pa) ('C(w, 2) + pa + pl)
       = ard_of_ones w (uphalf m) m./2 /\ is_hook_of_ones x m.
  move=> <- hl; case: (boolP ((pa == 0) && (pl == 0))) => c; last by left; rewrite lt_neqAle eq c le.
  by right; case/andP: (c) => /eqP a1 /eqP l1; split; [apply/eqP; rewrite eq | exact: form].
case: (half_best am) => [lt|[[ea eb]|[ea eb]]].
- left; apply: le_lt_trans le _; apply: longer_product => //; last by rewrite am.
  by rewrite am half_sum.
- by apply: level; [rewrite ea eb | left].
- apply: level; last by right.
  by rewrite ea eb /ard_of_ones ard_of_sym addnAC.
Qed.

(* ------------------------------------------------------------------ *)
(** ** One object off a best matching *)

Lemma sum_one (I : finType) (g : I -> nat) : \sum_i g i = 1 -> exists i1, g i1 = 1 /\ forall i, i != i1 -> g i = 0.
Proof.
move=> e; case: (pickP (fun i => 0 < g i)) => [i1 g1|none]; last first.
  by move: e; rewrite big1 // => i _; have := none i; rewrite lt0n => /negbFE/eqP.
exists i1; move: e; rewrite (bigD1 i1) //= => e; split; first by lia.
move=> i ni; have z : \sum_(i | i != i1) g i = 0 by lia.
by move/eqP: z; rewrite sum_nat_eq0 => /forall_inP /(_ i ni) /eqP.
Qed.

(* one more in one of the groups *)
Lemma pairs_one_more (I : finType) (y g : I -> nat) : \sum_i g i = 1 ->
  exists2 i1, g i1 = 1 /\ (forall i, i != i1 -> g i = 0) & \sum_i 'C(y i + g i, 2) = \sum_i 'C(y i, 2) + y i1.
Proof.
move=> /sum_one [i1 [g1 g0]]; exists i1 => //.
rewrite (bigD1 i1) //= [in RHS](bigD1 i1) //= g1 addn1 binS bin1.
have -> : \sum_(i | i != i1) 'C(y i + g i, 2) = \sum_(i | i != i1) 'C(y i, 2).
  by apply: eq_bigr => i ni; rewrite g0 // addn0.
by lia.
Qed.

(* pairs among all objects: two groups, the other groups, one more object *)
Lemma pairs_with_two (I : finType) (y : I -> nat) i1 i2 : i1 != i2 ->
  \sum_i 'C(y i, 2) + y i1 + y i2 + y i1 * y i2 <= 'C(\sum_i y i + 1, 2).
Proof.
move=> ne; rewrite (bigD1 i1) //= (bigD1 i2) 1?eq_sym //= [in X in _ <= X](bigD1 i1) //= [in X in _ <= X](bigD1 i2) 1?eq_sym //=.
have := sum_pairs_at_most (fun i => (i != i1) && (i != i2)) y.
move: (\sum_(i | _) 'C(y i, 2)) (\sum_(i | _) y i) => q t h.
have e1 := bin2_add (y i1 + (y i2 + t)) 1; have e2 := bin2_add (y i1) (y i2 + t); have e3 := bin2_add (y i2) t.
have e4 : 'C(1, 2) = 0 by [].
rewrite mulnDr in e2; lia.
Qed.

Section OneOff.
Variables (r s : nat) (x : table r s).
Hypothesis rs : r <= s.
Hypothesis m1 : total x - best x = 1.

Lemma one_off_pairs : exists Q y1 y2, [/\ row_pairs x = Q + y1, col_pairs x = Q + y2, cell_pairs x = Q,
  Q + y1 + y2 + y1 * y2 <= all_pairs x & Q = 0 -> y1 <= 1 /\ y2 <= 1].
Proof.
have [f fI fe] := best_attained x rs.
have em : \sum_i x i (f i) + 1 = total x by rewrite fe -m1 subnKC // best_le_total.
pose g i := \sum_(j | j != f i) x i j.
have gE i : row_sum x i = x i (f i) + g i by rewrite /row_sum (bigD1 (f i)).
have sg : \sum_i g i = 1.
  apply: (@addnI (\sum_i x i (f i))); rewrite em total_rows -big_split /=.
  by apply: eq_bigr => i _; rewrite gE.
pose y j := \sum_(i | f i == j) x i j; pose k j := \sum_(i | f i != j) x i j.
have kE j : col_sum x j = y j + k j by rewrite /col_sum (bigID (fun i => f i == j)).
have yf i : y (f i) = x i (f i) by rewrite /y (big_pred1 i) // => i'; rewrite (inj_eq fI).
have ey : \sum_j y j = \sum_i x i (f i).
  rewrite /y (exchange_big_dep xpredT) //=; apply: eq_bigr => i _.
  by rewrite (big_pred1 (f i)) // => j; rewrite eq_sym.
have sk : \sum_j k j = 1.
  apply: (@addnI (\sum_j y j)); rewrite ey em total_cols -ey -big_split /=.
  by apply: eq_bigr => j _; rewrite kE.
pose Q := \sum_i 'C(x i (f i), 2).
have yQ : \sum_j 'C(y j, 2) = Q.
  rewrite /Q; have -> : \sum_i 'C(x i (f i), 2) = \sum_i \sum_(j | j == f i) 'C(x i j, 2).
    by apply: eq_bigr => i _; rewrite big_pred1_eq.
  rewrite (exchange_big_dep xpredT) //=; apply: eq_bigr => j _.
  case: (pickP (fun i => f i == j)) => [i /eqP <-|none].
    by rewrite yf (big_pred1 i) // => i'; rewrite eq_sym (inj_eq fI).
  by rewrite /y !big_pred0 // => i; rewrite eq_sym none.
have [i1 [g1 g0] eA] := pairs_one_more (fun i => x i (f i)) sg.
have [j1 [k1 k0] eB] := pairs_one_more y sk.
have ne : f i1 != j1.
  apply/eqP => e; have : 0 < g i1 by rewrite g1.
  rewrite /g lt0n sum_nat_eq0 => /forall_inPn [j2 nj]; rewrite -lt0n => pos.
  have {}nj : j2 != f i1 by exact: nj.
  have : k j2 = 0 by apply: k0; rewrite -e.
  move/eqP; rewrite sum_nat_eq0 => /forall_inP /(_ i1) /=; rewrite eq_sym => /(_ nj) /eqP z.
  by rewrite z in pos.
have eP : cell_pairs x = Q.
  apply: eq_bigr => i _; rewrite (bigD1 (f i)) //=; apply/eqP; rewrite -[X in _ == X]addn0 eqn_add2l -leqn0.
  apply: leq_trans (sum_pairs_at_most _ _) _; rewrite -/(g i).
  by case: (eqVneq i i1) => [->|ni]; [rewrite g1 | rewrite g0].
exists Q, (x i1 (f i1)), (y j1); split=> //.
- by rewrite -eA; apply: eq_bigr => i _; rewrite gE.
- by rewrite -yQ -eB; apply: eq_bigr => j _; rewrite kE.
- by have := pairs_with_two y ne; rewrite yQ yf ey em.
move=> Q0; split; first exact: (no_pairs_in_cells (Q := xpredT) Q0).
by rewrite -yQ in Q0; exact: (no_pairs_in_cells (Q := xpredT) Q0).
Qed.

Theorem largest_ard_one_misplaced : 3 <= total x ->
  (ARD x <= (all_pairs x)%:R / (all_pairs x - 1)%:R)%R /\ ((1 < ARD x)%R -> cell_pairs x = 0).
Proof.
move=> n3; have M0 : 0 < all_pairs x by rewrite bin_gt0; lia.
have M3 : 2 < all_pairs x by have := @leq_bin2l 3 (total x) 2 n3.
have [Q [y1 [y2 [eA eB eP hM h0]]]] := one_off_pairs.
have key : (all_pairs x - 1) * (y1 + y2) + 2 * ((Q + y1) * (Q + y2)) <= all_pairs x * ((Q + y1) + (Q + y2)) /\
           (0 < Q -> (Q + y1) * (Q + y2) <= all_pairs x * Q).
  case: (posnP Q) => [Q0|Q1].
    have [a b] := h0 Q0; split=> //; rewrite Q0 in hM *; move: (all_pairs x) M3 hM => M M3 hM.
    have d1 : y1 = 0 \/ y1 = 1 by lia. have d2 : y2 = 0 \/ y2 = 1 by lia.
    by case: d1 d2 => e1 [] e2; rewrite e1 e2 in hM *; lia.
  have z : y1 * y2 <= Q * (y1 * y2) by rewrite leq_pmull.
  have big : Q * (Q + y1 + y2 + y1 * y2) <= Q * all_pairs x by rewrite leq_mul2l hM orbT.
  by move: (all_pairs x) M3 hM big => M M3 hM big; split=> [|_]; nia.
split.
  have AM := row_pairs_le x; have BM := col_pairs_le x; rewrite ARD_of_pairs // /ard_of.
  case: (posnP (denominator (all_pairs x) (row_pairs x) (col_pairs x))) => [->|D0].
    by rewrite invr0 mulr0 mulr_ge0 ?invr_ge0 ?ler0n.
  rewrite ratio_le //; last by lia.
  have [e _] := denominator_expand AM BM; rewrite /denominator e eA eB eP in D0 * => {e}.
  have -> : Q + y1 + (Q + y2) - 2 * Q = y1 + y2 by lia.
  rewrite -!mulnA leq_pmul2l // mulnC; case: key => key _.
  by move: (_ * (y1 + y2)) key => u key; lia.
move=> gt; have := (ARD_above_one M0).1 gt; rewrite eP eA eB => lt.
by case: (posnP Q) => // Q1; move: lt; rewrite ltnNge; case: key => _ ->.
Qed.
End OneOff.

(* clusters {1, 2}, {3}, {4}, ... and {1}, {2, 3}, {4}, ... *)
Definition one_off_table k : table k.+2 k.+2 := fun i j => (i == j) + (i == 0 :> nat) * (j == 1 :> nat).
Arguments one_off_table : clear implicits.

Section Attained.
Variable k : nat.
Let x := one_off_table k.
Let second : 'I_k.+2 := inord 1.

Lemma second_val : second = 1 :> nat. Proof. by rewrite inordK. Qed.

Lemma one_off_row i : row_sum x i = 1 + (i == 0 :> nat).
Proof.
rewrite /row_sum big_split /=; congr (_ + _).
  by rewrite (bigD1 i) //= eqxx big1 // => j nj; rewrite eq_sym (negbTE nj).
rewrite -big_distrr /= (bigD1 second) //= second_val eqxx big1 ?muln1 // => j nj.
by case: eqP => // e; case/eqP: nj; apply: val_inj; exact: etrans e (esym second_val).
Qed.

Lemma one_off_col j : col_sum x j = 1 + (j == 1 :> nat).
Proof.
rewrite /col_sum big_split /=; congr (_ + _).
  by rewrite (bigD1 j) //= eqxx big1 // => i ni; rewrite (negbTE ni).
rewrite -big_distrl /= (bigD1 ord0) //= big1 ?mul1n // => i ni.
by case: eqP => // e; case/eqP: ni; exact: val_inj.
Qed.

Lemma one_off_total : total x = k + 3.
Proof.
rewrite total_rows big_ord_recl one_off_row /=.
rewrite (eq_bigr (fun=> 1)) => [|i _]; last by rewrite one_off_row.
by rewrite sum_nat_const card_ord muln1; lia.
Qed.

Theorem one_misplaced_attained : total x - best x = 1 /\ ARD x = ((all_pairs x)%:R / (all_pairs x - 1)%:R)%R.
Proof.
have eA : row_pairs x = 1.
  rewrite /row_pairs (bigD1 ord0) //= one_off_row big1 // => i ni; rewrite one_off_row.
  by case: eqP => // e; case/eqP: ni; exact: val_inj.
have eB : col_pairs x = 1.
  rewrite /col_pairs (bigD1 second) //= one_off_col second_val big1 // => j nj; rewrite one_off_col.
  by case: eqP => // e; case/eqP: nj; apply: val_inj; exact: etrans e (esym second_val).
have eP : cell_pairs x = 0.
  rewrite /cell_pairs big1 // => i _; rewrite big1 // => j _; rewrite /x /one_off_table.
  case: (eqVneq i j) => [->|_]; last by case: (_ * _) (leq_mul (leq_b1 (i == 0 :> nat)) (leq_b1 (j == 1 :> nat))) => [|[|]].
  by case: eqP => // ->.
have M2 : 2 < all_pairs x by rewrite /all_pairs one_off_total; have := @leq_bin2l 3 (k + 3) 2; apply; lia.
split; last first.
  rewrite ARD_of_pairs ?(ltn_trans _ M2) // eA eB eP /ard_of /denominator !mul1n muln0 subn0.
  have -> : all_pairs x * (1 + 1) = 2 * all_pairs x by lia.
  have -> : all_pairs x - 1 + (all_pairs x - 1) = 2 * (all_pairs x - 1) by lia.
  by rewrite !natrM -mulf_div divff ?mul1r.
have [f fI fe] := best_attained x (leqnn _).
have low : k.+2 <= best x.
  apply: leq_trans (best_ge x (f := id) (fun _ _ e => e)).
  rewrite -[X in X <= _](card_ord k.+2) -sum1_card; apply: leq_sum => i _.
  by rewrite /x /one_off_table eqxx leq_addr.
have high : best x < total x.
  rewrite -fe total_rows (bigD1 ord0) //= [X in _ < X](bigD1 ord0) //= -addSn; apply: leq_add; last first.
    by apply: leq_sum => i _; exact: entry_le_row.
  rewrite one_off_row /= /x /one_off_table /= mul1n addn1 ltnS.
  have [->|ne] := eqVneq (f ord0) ord0; first by [].
  by case: (f ord0 == 1 :> nat).
by rewrite one_off_total in high *; lia.
Qed.
End Attained.
