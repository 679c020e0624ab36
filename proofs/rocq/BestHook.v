(** * The largest adjusted Rand distance: balanced hooks, and two clusters each

    Write A, B, P, M for the pairs of objects together in a row, in a column, in a cell, and all pairs.
      ARD = M (A + B - 2P) / (A (M - B) + B (M - A)).

    Lemma.  If a change adds the same y > 0 to B and to P and keeps A and M, then ARD decreases.
    So among the hooks with a given corner, arm total and leg total the best has a balanced arm and a
    balanced leg; and for 2 x 2 tables with n >= 9 the largest ARD is that of one of the hooks of
    TwoByTwo.v. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_algebra zify.
From Confmat Require Import Arithmetic Tables TwoByTwoIntegers TwoByTwo.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope nat_scope.
Delimit Scope Z_scope with integer.   (* %Z is taken by mathcomp *)

(* ------------------------------------------------------------------ *)
(** ** The lemma on numbers

    With D = A (M - B) + B (M - A) and S = A + B - 2P, after the change D' = D + y (M - 2A), S' = S - y, and
      S D' - S' D = y (D + S (M - 2A)) = y (M A + (M - 2A)(S + B)).
    If M >= 2A all terms are non-negative; else S + B = A + 2(B - P) <= 2M - A, as B - P <= M - A (the pairs
    together in a column only are separated by the rows), and M A - (2A - M)(2M - A) = 2 (M - A)^2 > 0. *)

Lemma bracket_positive (A B P M : nat) : 0 < A -> A < M -> P <= A -> P <= B -> B + A <= M + P ->
  (2 * A) * (A + 2 * (B - P)) < M * A + M * (A + 2 * (B - P)).
Proof.
move=> A0 AM PA PB h; case: (leqP (2 * A) M) => c.
  have : (2 * A) * (A + 2 * (B - P)) <= M * (A + 2 * (B - P)) by rewrite leq_mul2r c orbT.
  have : 0 < M * A by rewrite muln_gt0; apply/andP; split; lia.
  by move: (M * A) ((2 * A) * _) (M * _) => a b e; lia.
have [u uE] : exists u, M = A + u.+1 by exists (M - A - 1); lia.
have [v vE] : exists v, 2 * A = M + v by exists (2 * A - M); lia.
have : v * (A + 2 * (B - P)) <= v * (A + 2 * u.+1) by rewrite leq_mul2l; apply/orP; right; lia.
have vA : v + u.+1 = A by lia.
rewrite vE mulnDl; move: (B - P) => d.
by rewrite uE -vA; clear; nia.
Qed.

(* the comparison of the two fractions, cross-multiplied, before the factor y *)
Lemma same_addition_cross (A B P M y : nat) :
  0 < y -> 0 < A -> A < M -> P + y <= A -> P <= B -> B + A <= M + P -> B + y <= M ->
  (A + (B + y) - 2 * (P + y)) * (A * (M - B) + B * (M - A)) <
  (A + B - 2 * P) * (A * (M - (B + y)) + (B + y) * (M - A)).
Proof.
move=> y0 A0 AM PA PB h BM.
have key := bracket_positive A0 AM (leq_trans (leq_addr _ _) PA) PB h.
have [a aE] : exists a, A = P + y + a by exists (A - P - y); lia.
have [b bE] : exists b, B = P + b by exists (B - P); lia.
have [c cE] : exists c, M = P + b + y + c by exists (M - B - y); lia.
have e1 : M - B = y + c by lia.
have e2 : M - (B + y) = c by lia.
have e3 : A + (B + y) - 2 * (P + y) = a + b by lia.
have e4 : A + B - 2 * P = y + a + b by lia.
have e5 : B - P = b by lia.
have [u uE] : exists u, M = A + u by exists (M - A); lia.
have e6 : M - A = u by lia.
rewrite e1 e2 e3 e4 e6; rewrite e5 in key.
have yk : y * ((2 * A) * (A + 2 * b)) < y * (M * A + M * (A + 2 * b)) by rewrite ltn_pmul2l.
have cu : b + c = a + u by lia.
move: yk; rewrite cE bE aE; move: cu; clear; nia.
Qed.

Lemma scale_cross (S S' D D' M : nat) : 0 < M -> S' * D < S * D' ->
  2 * S' * M * (2 * D) < 2 * S * M * (2 * D').
Proof.
move=> M0 h; have e a b : 2 * a * M * (2 * b) = 4 * M * (a * b) by lia.
by rewrite !e ltn_pmul2l // muln_gt0 M0.
Qed.

(* ------------------------------------------------------------------ *)
(** ** The lemma on tables *)

Section TableFacts.
Variables (r s : nat).
Implicit Type x : table r s.

Lemma cell_pairs_le_rows x : cell_pairs x <= row_pairs x.
Proof. by have := squares_le_rows x; rewrite -double_cell_pairs -double_row_pairs; lia. Qed.

Lemma cell_pairs_le_cols x : cell_pairs x <= col_pairs x.
Proof. by have := squares_le_cols x; rewrite -double_cell_pairs -double_col_pairs; lia. Qed.

(* the pairs together in a row or in a column are at most all pairs *)
Lemma pairs_inclusion_exclusion x : row_pairs x + col_pairs x <= all_pairs x + cell_pairs x.
Proof.
have cross u : row_sum x u.1 + col_sum x u.2 <= total x + x u.1 u.2.
  rewrite -degree_margins mul2n -addnn addnA leq_add2r total_pair.
  rewrite -[X in _ + X <= _](sum_pick_sym u (fun v => x v.1 v.2)) -big_split.
  apply: leq_sum => v _ /=; case: eqP => [->|_]; last by case: (adjacent u v); lia.
  by rewrite /adjacent !eqxx mul0n mul1n.
have : \sum_u x u.1 u.2 * (row_sum x u.1 + col_sum x u.2) <= \sum_u x u.1 u.2 * (total x + x u.1 u.2).
  by apply: leq_sum => u _; rewrite leq_mul2l cross orbT.
under eq_bigr do rewrite mulnDr; rewrite big_split /=.
under [X in _ <= X]eq_bigr do rewrite mulnDr; rewrite [X in _ <= X]big_split /= -big_distrl /= -total_pair.
have -> : \sum_u x u.1 u.2 * x u.1 u.2 = squares x.
  rewrite /squares pair_bigA /=; apply: eq_bigr => u _; exact: mulnn.
have -> : \sum_u x u.1 u.2 * row_sum x u.1 = \sum_(i < r) row_sum x i ^ 2.
  rewrite -(pair_bigA _ (fun i j => x i j * row_sum x i)) /=.
  by apply: eq_bigr => i _; rewrite -big_distrl /= -mulnn.
have -> : \sum_u x u.1 u.2 * col_sum x u.2 = \sum_(j < s) col_sum x j ^ 2.
  rewrite -(pair_bigA _ (fun i j => x i j * col_sum x j)) exchange_big /=.
  by apply: eq_bigr => i _; rewrite -big_distrl /= -mulnn.
rewrite mulnn -double_row_pairs -double_col_pairs -double_all_pairs -double_cell_pairs.
by lia.
Qed.

Lemma F_half x : F2 x = 2 * (row_pairs x + col_pairs x - 2 * cell_pairs x).
Proof. by have := F_pairs x; have := cell_pairs_le_rows x; have := cell_pairs_le_cols x; lia. Qed.

Theorem ARD_same_addition n (x x' : table r s) y :
  1 < r -> 1 < s -> in_class n x -> in_class n x' -> 0 < y ->
  row_pairs x' = row_pairs x -> col_pairs x' = col_pairs x + y -> cell_pairs x' = cell_pairs x + y ->
  (ARD x' < ARD x)%R.
Proof.
move=> r1 s1 xM xM' y0 eA eB eP.
have eM : all_pairs x' = all_pairs x by case: xM xM' => t _ _ [t' _ _]; rewrite /all_pairs t t'.
have hA := row_pairs_lt xM r1; have hP := cell_pairs_le_rows x'; have hB := col_pairs_le x'.
have hPB := cell_pairs_le_cols x; have hU := pairs_inclusion_exclusion x.
rewrite eA eP in hP; rewrite eB eM in hB.
have A0 : 0 < row_pairs x by lia.
have M0 : 0 < all_pairs x by lia.
have N0 : 0 < expected_numerator x by apply: (expected_positive xM) => //; lia.
have N0' : 0 < expected_numerator x' by apply: (expected_positive xM') => //; rewrite eA; lia.
rewrite !ARD_nat ?eM // ratio_lt ?muln_gt0 // !F_half eA eB eP.
have hU' : col_pairs x + row_pairs x <= all_pairs x + cell_pairs x by rewrite addnC.
apply: scale_cross => //; have := same_addition_cross y0 A0 hA hP hPB hU' hB.
by rewrite /expected_numerator eA eB eM.
Qed.
End TableFacts.

(* ------------------------------------------------------------------ *)
(** ** Hooks with a balanced arm and a balanced leg

    Corner c, arm (the rest of the first row) and leg (the rest of the first column), zeros elsewhere. *)

Section Hooks.
Variables (a b : nat).
Implicit Types arm leg : nat -> nat.

Definition corner_hook (c : nat) arm leg : table a.+1 b.+1 := fun i j =>
  if i == 0 :> nat then (if j == 0 :> nat then c else arm j.-1)
  else (if j == 0 :> nat then leg i.-1 else 0).

Definition choose_two (m : nat) (h : nat -> nat) := \sum_(j < m) 'C(h j, 2).

Lemma corner_hook_row c arm leg (i : 'I_a.+1) :
  row_sum (corner_hook c arm leg) i = if i == 0 :> nat then c + \sum_(j < b) arm j else leg i.-1.
Proof.
rewrite /row_sum /corner_hook big_ord_recl /=; case: (i == 0 :> nat) => //.
by rewrite big1 ?addn0.
Qed.

Lemma corner_hook_col c arm leg (j : 'I_b.+1) :
  col_sum (corner_hook c arm leg) j = if j == 0 :> nat then c + \sum_(i < a) leg i else arm j.-1.
Proof.
rewrite /col_sum /corner_hook big_ord_recl /=; case: (j == 0 :> nat) => //.
by rewrite big1 ?addn0.
Qed.

Lemma corner_hook_total c arm leg :
  total (corner_hook c arm leg) = c + \sum_(j < b) arm j + \sum_(i < a) leg i.
Proof.
rewrite total_rows big_ord_recl corner_hook_row /=; congr (_ + _).
by apply: eq_bigr => i _; rewrite corner_hook_row.
Qed.

Hypothesis a0 : 0 < a.
Hypothesis b0 : 0 < b.

Lemma sum_positive m (h : nat -> nat) : 0 < m -> (forall j, j < m -> 0 < h j) -> 0 < \sum_(j < m) h j.
Proof.
by move=> m0 pos; apply: leq_trans m0 (@positive_sum_ge m (fun j => h j) _) => j; apply: pos.
Qed.

(* the corner may be empty: arm and leg keep the first row and the first column from being empty *)
Lemma corner_hook_in_class c arm leg : (forall j, j < b -> 0 < arm j) -> (forall i, i < a -> 0 < leg i) ->
  in_class (c + \sum_(j < b) arm j + \sum_(i < a) leg i) (corner_hook c arm leg).
Proof.
move=> hy hl; split; first exact: corner_hook_total.
  move=> i; rewrite corner_hook_row; have := ltn_ord i; case: eqP => h hi; last by apply: hl; lia.
  by rewrite addn_gt0 (sum_positive b0 hy) orbT.
move=> j; rewrite corner_hook_col; have := ltn_ord j; case: eqP => h hj; last by apply: hy; lia.
by rewrite addn_gt0 (sum_positive a0 hl) orbT.
Qed.

Lemma corner_hook_row_pairs c arm leg :
  row_pairs (corner_hook c arm leg) = 'C(c + \sum_(j < b) arm j, 2) + choose_two a leg.
Proof.
rewrite /row_pairs big_ord_recl corner_hook_row /=; congr (_ + _).
by apply: eq_bigr => i _; rewrite corner_hook_row.
Qed.

Lemma corner_hook_col_pairs c arm leg :
  col_pairs (corner_hook c arm leg) = 'C(c + \sum_(i < a) leg i, 2) + choose_two b arm.
Proof.
rewrite /col_pairs big_ord_recl corner_hook_col /=; congr (_ + _).
by apply: eq_bigr => i _; rewrite corner_hook_col.
Qed.

Lemma corner_hook_cell_pairs c arm leg :
  cell_pairs (corner_hook c arm leg) = 'C(c, 2) + choose_two b arm + choose_two a leg.
Proof.
rewrite /cell_pairs big_ord_recl big_ord_recl /=; congr (_ + _).
by apply: eq_bigr => i _; rewrite big_ord_recl big1 ?addn0.
Qed.

Lemma choose_two_squares m h : 2 * choose_two m h + \sum_(j < m) h j = \sum_(j < m) h j ^ 2.
Proof. by rewrite /choose_two big_distrr -big_split; apply: eq_bigr => j _; apply: double_bin2. Qed.

(* a smaller sum of squares along the arm gives a larger ARD *)
Theorem smaller_arm_squares c arm arm' leg :
  (forall j, j < b -> 0 < arm j) -> (forall j, j < b -> 0 < arm' j) -> (forall i, i < a -> 0 < leg i) ->
  \sum_(j < b) arm' j = \sum_(j < b) arm j -> \sum_(j < b) arm' j ^ 2 < \sum_(j < b) arm j ^ 2 ->
  (ARD (corner_hook c arm leg) < ARD (corner_hook c arm' leg))%R.
Proof.
move=> hy hy' hl e; rewrite -!choose_two_squares e ltn_add2r ltn_pmul2l // => lt.
have xM := corner_hook_in_class c hy hl; have xM' := corner_hook_in_class c hy' hl.
rewrite e in xM'.
apply: (@ARD_same_addition _ _ _ _ _ (choose_two b arm - choose_two b arm')) xM' xM _ _ _ _ => //.
- by rewrite subn_gt0.
- by rewrite !corner_hook_row_pairs e.
- by rewrite !corner_hook_col_pairs; lia.
- by rewrite !corner_hook_cell_pairs; lia.
Qed.
End Hooks.

Lemma ARD_transpose r s (x : table r s) : ARD (transpose x) = ARD x.
Proof.
have eP : cell_pairs (transpose x) = cell_pairs x by rewrite /cell_pairs exchange_big.
have eM : all_pairs (transpose x) = all_pairs x by rewrite /all_pairs total_transpose.
have [eA eB] : row_pairs (transpose x) = col_pairs x /\ col_pairs (transpose x) = row_pairs x by [].
rewrite /ARD /RD /expected_RD eP eM eA eB.
congr (_ / _)%R; congr (_ / _)%R; last exact: GRing.addrC.
by congr (_ - _)%R; apply: GRing.addrC.
Qed.

Lemma eq_ARD r s (x y : table r s) : (forall i j, x i j = y i j) -> ARD x = ARD y.
Proof.
move=> e; have er i : row_sum x i = row_sum y i by apply: eq_bigr => j _.
have ec j : col_sum x j = col_sum y j by apply: eq_bigr => i _.
have eA : row_pairs x = row_pairs y by apply: eq_bigr => i _; rewrite er.
have eB : col_pairs x = col_pairs y by apply: eq_bigr => i _; rewrite ec.
have eM : all_pairs x = all_pairs y by congr ('C(_, 2)); apply: eq_bigr => i _; apply: er.
have eP : cell_pairs x = cell_pairs y by apply: eq_bigr => i _; apply: eq_bigr => j _; rewrite e.
by rewrite /ARD /RD /expected_RD eA eB eM eP.
Qed.

Lemma corner_hook_transpose a b c (arm leg : nat -> nat) i j :
  transpose (corner_hook (a := a) (b := b) c arm leg) i j = corner_hook c leg arm i j.
Proof. by rewrite /transpose /corner_hook; case: (i == 0 :> nat); case: (j == 0 :> nat). Qed.

Lemma balanced_family_positive m t j : 0 < t <= m -> 0 < balanced_family m t j.
Proof. by case/andP=> t0 tm; rewrite /balanced_family addn_gt0 divn_gt0 // tm. Qed.

(* balancing the arm: ARD does not decrease, and increases unless the arm is balanced *)
Lemma balance_arm a b c (arm leg : nat -> nat) (arm' := balanced_family (\sum_(j < b) arm j) b) :
  0 < a -> 0 < b -> (forall j, j < b -> 0 < arm j) -> (forall i, i < a -> 0 < leg i) ->
  balanced (fun j : 'I_b => arm j) /\
     ARD (corner_hook (a := a) (b := b) c arm leg) = ARD (corner_hook (a := a) (b := b) c arm' leg) \/
  (ARD (corner_hook (a := a) (b := b) c arm leg) < ARD (corner_hook (a := a) (b := b) c arm' leg))%R.
Proof.
move=> a0 b0 hy hl; set m := \sum_(j < b) arm j.
have bm : b <= m by apply: (@positive_sum_ge b (fun j => arm j)) => j; apply: hy.
have sum' : \sum_(j < b) arm' j = m by apply: balanced_family_sum.
have hy' j : j < b -> 0 < arm' j by move=> _; apply: balanced_family_positive; rewrite b0.
have := @balanced_squares_le b (fun j => arm j); rewrite -/m -(balanced_family_squares m b0) leq_eqVlt.
case/orP => [/eqP e|lt]; [left | right]; last exact: smaller_arm_squares.
split.
  by apply: balanced_squares_unique; rewrite -e balanced_family_squares.
have xM := corner_hook_in_class a0 b0 c hy hl.
have e2 : choose_two b arm' = choose_two b arm.
  have q := choose_two_squares b arm; have q' := choose_two_squares b arm'.
  rewrite sum' in q'; rewrite -/m -e -q' in q; move: (addIn q).
  by move/eqP; rewrite eqn_pmul2l // => /eqP ->.
rewrite /ARD /RD /expected_RD !corner_hook_row_pairs !corner_hook_col_pairs !corner_hook_cell_pairs.
by rewrite /all_pairs !corner_hook_total e2 sum'.
Qed.

(* among the hooks with the same corner, arm total and leg total the balanced one is best, and only
   balanced ones are as good *)
Theorem balanced_hook_best a b c (arm leg : nat -> nat)
  (arm' := balanced_family (\sum_(j < b) arm j) b) (leg' := balanced_family (\sum_(i < a) leg i) a) :
  0 < a -> 0 < b -> (forall j, j < b -> 0 < arm j) -> (forall i, i < a -> 0 < leg i) ->
  (ARD (corner_hook (a := a) (b := b) c arm leg) <= ARD (corner_hook (a := a) (b := b) c arm' leg'))%R /\
  (ARD (corner_hook (a := a) (b := b) c arm leg) = ARD (corner_hook (a := a) (b := b) c arm' leg') ->
   balanced (fun j : 'I_b => arm j) /\ balanced (fun i : 'I_a => leg i)).
Proof.
move=> a0 b0 hy hl.
have bm : b <= \sum_(j < b) arm j by apply: (@positive_sum_ge b (fun j => arm j)) => j; apply: hy.
have hy' j : j < b -> 0 < arm' j by move=> _; apply: balanced_family_positive; rewrite b0.
have turn c' u v : ARD (corner_hook (a := b) (b := a) c' v u) = ARD (corner_hook (a := a) (b := b) c' u v).
  by rewrite -ARD_transpose; apply: eq_ARD => i j; apply: corner_hook_transpose.
have D1 := balance_arm c a0 b0 hy hl; rewrite -/arm' in D1.
have D2 := balance_arm c b0 a0 hl hy'; rewrite -/leg' !turn in D2.
move: D1 D2; set z := ARD _; set y := ARD _; set x := ARD _ => D1 D2.
suff strict : (z < x)%R -> (z <= x)%R /\ (z = x ->
    balanced (fun j : 'I_b => arm j) /\ balanced (fun i : 'I_a => leg i)).
  case: D1 => [[ba e1]|lt1]; case: D2 => [[bl e2]|lt2].
  - by rewrite e1 e2 Order.POrderTheory.lexx.
  - by apply: strict; rewrite e1.
  - by apply: strict; rewrite -e2.
  - by apply: strict; apply: Order.POrderTheory.lt_trans lt2.
by move=> lt; split=> [|e]; [apply: Order.POrderTheory.ltW | rewrite e Order.POrderTheory.ltxx in lt].
Qed.

(* ------------------------------------------------------------------ *)
(** ** Two clusters each: the largest ARD of all, n >= 9

    Let d be the smaller of the sums of the two diagonals.  If d = 0 then RD = 0.  If d = 1, the numerator
    of E is at least (n-1)^3 / 2, so that ARD <= 1, while the hook with d = 2 has n/(n-1).  For d >= 2 see
    TwoByTwo.v. *)

Lemma expected_numerator_hook_two m :
  expected_numerator (largest_ARD_table m 2) = m.+1 * m.+1 * m.
Proof.
have : (16 * Z.of_nat (expected_numerator (largest_ARD_table m 2)) = EE (Z.of_nat m) 1 1 0)%integer.
  exact: expected_numerator_EE.
by rewrite EE_hook_two; move: (expected_numerator _) => N; clear; nia.
Qed.

Lemma expected_numerator_one m x : in_class m.+1 x -> diagonals_are m 1 x ->
  m * m * m <= 2 * expected_numerator x.
Proof.
move=> [_ R C]; have := R ord0; have := R ord_max; have := C ord0; have := C ord_max.
have := expected_numerator_EE x; rewrite /row_sum /col_sum !sum_two /diagonals_are /diagonal_sum /antidiagonal_sum.
move: (x ord0 ord0) (x ord0 ord_max) (x ord_max ord0) (x ord_max ord_max) => a b c e hE c1 c0 r1 r0 dx.
suff : (8 * (Z.of_nat m * Z.of_nat m * Z.of_nat m) <= 16 * Z.of_nat (expected_numerator x))%integer by lia.
rewrite hE; clear hE.
have one (u v : nat) : 0 < u -> 0 < v -> u + v = m ->
    (8 * (Z.of_nat m * Z.of_nat m * Z.of_nat m) <= EE (Z.of_nat u) 1 0 (Z.of_nat v))%integer.
  move=> u0 v0 uv; have := @EE_one (Z.of_nat u) (Z.of_nat v) ltac:(lia) ltac:(lia); cbv zeta.
  by have -> : (Z.of_nat u + Z.of_nat v + 1 - 1 = Z.of_nat m)%integer by lia.
case: dx => -[d1 d2].
  have [[b1 c2]|[b1 c2]] : b = 1 /\ c = 0 \/ b = 0 /\ c = 1 by lia.
    by rewrite b1 c2; apply: one; lia.
  by rewrite b1 c2 EE_transpose; apply: one; lia.
have [[b1 c2]|[b1 c2]] : a = 1 /\ e = 0 \/ a = 0 /\ e = 1 by lia.
  by rewrite b1 c2 -EE_swap; apply: one; lia.
by rewrite b1 c2 -EE_swap EE_transpose; apply: one; lia.
Qed.

Theorem largest_ARD_two_by_two_all n (x : table 2 2) : 9 <= n -> in_class n x ->
  exists d, [/\ 2 <= d, 2 * d <= n, in_class n (largest_ARD_table (n - d) d) &
                (ARD x <= ARD (largest_ARD_table (n - d) d))%R].
Proof.
move=> n9 xM; have tx : diagonal_sum x + antidiagonal_sum x = n by rewrite -total_two_by_two; case: xM.
pose d := minn (diagonal_sum x) (antidiagonal_sum x).
have dx : diagonals_are (n - d) d x by rewrite /diagonals_are /d; lia.
case: (leqP 2 d) => [d2|d1].
  have nE : n - d + d = n by rewrite /d; lia.
  have [] := @largest_ARD_two_by_two (n - d) d x; rewrite ?nE //.
    by rewrite /d in d2 *; lia.
  by exists d; split=> //; rewrite /d; lia.
have yM : in_class n (largest_ARD_table (n - 2) 2).
  by have := @largest_ARD_table_in_class (n - 2) 2; rewrite subnK; [apply|]; lia.
exists 2; split=> //; first by lia.
have [y1 y2] := largest_ARD_table_sums (n - 2) 2.
have Fy : F2 (largest_ARD_table (n - 2) 2) = 2 * ((n - 2) * 2) by rewrite F_two_by_two y1 y2.
have My : 0 < all_pairs (largest_ARD_table (n - 2) 2) by case: yM => t _ _; rewrite /all_pairs t bin_gt0; lia.
have eM : all_pairs x = all_pairs (largest_ARD_table (n - 2) 2).
  by case: xM yM => t _ _ [t' _ _]; rewrite /all_pairs t t'.
have [d0|d1'] := posnP d.
  have Fx : F2 x = 0 by rewrite F_two_by_two /d in d0 *; nia.
  rewrite !ARD_nat ?eM // Fx mul0n GRing.mul0r.
  by rewrite Num.Theory.divr_ge0 // Num.Theory.ler0n.
have {d1 d1'} dE : d = 1 by lia.
have [m mE] : exists m, n = m.+2 by exists (n - 2); lia.
have Fx : F2 x = 2 * m.+1 by rewrite F_two_by_two; rewrite /d in dE; nia.
have hx : m.+1 * m.+1 * m.+1 <= 2 * expected_numerator x.
  by apply: expected_numerator_one; [rewrite -mE | rewrite dE mE subn1 in dx].
have hy := expected_numerator_hook_two m.
rewrite mE subSS subSS subn0 in Fy My eM *.
rewrite !ARD_nat ?eM // ratio_le ?muln_gt0 ?hy //; last 2 first.
- by lia.
- by lia.
rewrite Fx Fy; move: (all_pairs _) (expected_numerator x) hx => M N hx.
have : m * M * (m.+1 * m.+1 * m.+1) <= m * M * (2 * N) by rewrite leq_mul2l hx orbT.
by clear; nia.
Qed.
